package org.freshet.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Makes pipelines that share what may be shared: a handler whose class is marked {@link ChannelHandler.Sharable} is made once
 * and put into every pipeline, any other is made anew for each.
 *
 * <pre>{@code
 * ChannelPipelineFactory factory = SharingPipelineFactory.builder()
 *         .add("backPressure", BackPressureHandler.class) // keeps the state of a channel: one for each
 *         .add("writes", () -> new BufferedWriteHandler(true)) // the same
 *         .add("log", () -> new LoggingHandler(InternalLogLevel.INFO)) // marked: one for all
 *         .build();
 * }</pre>
 *
 * <p>Any thread, several at a time, as far as the suppliers allow it. A supplier of a sharable handler may be called more than
 * once if the first pipelines are made by several threads; one of its handlers is used.
 */
public final class SharingPipelineFactory implements ChannelPipelineFactory {
    private final List<Slot> slots;

    private SharingPipelineFactory(List<Slot> slots) {
        this.slots = slots;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * A new pipeline of all handlers in the order in which they were added.
     *
     * @throws ChannelPipelineException if a supplier returns null
     * @throws Exception what a supplier or constructor throws
     */
    @Override
    public ChannelPipeline getPipeline() throws Exception {
        ChannelPipeline pipeline = Channels.pipeline();
        for (Slot slot : slots) {
            pipeline.addLast(slot.name, slot.handler());
        }
        return pipeline;
    }

    private static boolean isSharable(Class<?> type) {
        return type.isAnnotationPresent(ChannelHandler.Sharable.class);
    }

    /** Collects the handlers; for one thread. */
    public static final class Builder {
        private final Map<String, Slot> slots = new LinkedHashMap<>();

        private Builder() {}

        /**
         * A handler of which {@code supplier} makes instances. It is called when the first pipeline is made, and for each further one
         * unless the handler that it returned is sharable.
         *
         * @throws IllegalArgumentException if there is a handler of this name
         */
        public Builder add(String name, Supplier<? extends ChannelHandler> supplier) {
            Objects.requireNonNull(supplier, "supplier");
            return put(new Slot(name, supplier::get, null));
        }

        /**
         * A handler that is made by the public constructor of {@code type} without arguments.
         *
         * @throws IllegalArgumentException if there is a handler of this name, or no such constructor that may be called
         */
        public Builder add(String name, Class<? extends ChannelHandler> type) {
            MethodHandle constructor;
            try {
                constructor = MethodHandles.publicLookup().findConstructor(type, MethodType.methodType(void.class));
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new IllegalArgumentException(
                        type.getName() + " has no public constructor without arguments; give a supplier instead", e);
            }
            return put(new Slot(name, () -> (ChannelHandler) constructor.invoke(), null));
        }

        /**
         * A handler that all pipelines share.
         *
         * @throws IllegalArgumentException if there is a handler of this name, or {@code handler} is not marked sharable
         */
        public Builder add(String name, ChannelHandler handler) {
            if (!isSharable(handler.getClass())) {
                throw new IllegalArgumentException("handler '" + name + "' is not marked @Sharable: "
                        + handler.getClass().getName() + "; give its class or a supplier instead");
            }
            return put(new Slot(name, () -> handler, handler));
        }

        private Builder put(Slot slot) {
            if (slots.putIfAbsent(slot.name, slot) != null) {
                throw new IllegalArgumentException("there is a handler '" + slot.name + "' already");
            }
            return this;
        }

        /** The factory of what was added until now. */
        public SharingPipelineFactory build() {
            return new SharingPipelineFactory(new ArrayList<>(slots.values()));
        }
    }

    /** Makes a handler; as {@link Supplier}, but may throw. */
    private interface Maker {
        ChannelHandler make() throws Throwable;
    }

    /** The place of one handler. */
    private static final class Slot {
        final String name;
        private final Maker maker;

        /** The handler that all pipelines share; null until it is known, and always for an exclusive one. */
        private final AtomicReference<ChannelHandler> shared;

        Slot(String name, Maker maker, ChannelHandler shared) {
            this.name = Objects.requireNonNull(name, "name");
            this.maker = maker;
            this.shared = new AtomicReference<>(shared);
        }

        ChannelHandler handler() throws Exception {
            ChannelHandler known = shared.get();
            if (known != null) {
                return known;
            }
            ChannelHandler made = make();
            if (!isSharable(made.getClass()) || shared.compareAndSet(null, made)) {
                return made;
            }
            return shared.get(); // another thread was first
        }

        private ChannelHandler make() throws Exception {
            ChannelHandler made;
            try {
                made = maker.make();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new ChannelPipelineException("handler '" + name + "' cannot be made", e);
            }
            if (made == null) {
                throw new ChannelPipelineException("the supplier of handler '" + name + "' returns null");
            }
            return made;
        }
    }
}
