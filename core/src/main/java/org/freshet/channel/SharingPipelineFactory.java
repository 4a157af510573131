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
 * Creates pipelines that share their sharable handlers: a handler whose class is marked {@link ChannelHandler.Sharable} is created once and
 * put into every pipeline; any other is created for each pipeline.
 *
 * <pre>{@code
 * ChannelPipelineFactory factory = SharingPipelineFactory.builder()
 *         .add("backPressure", BackPressureHandler.class) // has state per channel: one for each
 *         .add("writes", () -> new BufferedWriteHandler(true)) // the same
 *         .add("log", () -> new LoggingHandler(InternalLogLevel.INFO)) // marked: one for all
 *         .build();
 * }</pre>
 *
 * <p>Any thread may call it, several at the same time if the suppliers allow that. If several threads create the first pipelines, the
 * supplier of a sharable handler may be called more than once; one of its handlers is used.
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
     * Creates a pipeline of all handlers in the order in which they were added.
     *
     * @throws ChannelPipelineException if a supplier returns null
     * @throws Exception if a supplier or constructor throws it
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

    /** Collects the handlers. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Slot> slots = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds a handler created by {@code supplier}. The supplier is called for the first pipeline, and for each further one unless the
         * handler it returned is sharable.
         *
         * @throws IllegalArgumentException if there is a handler with this name
         */
        public Builder add(String name, Supplier<? extends ChannelHandler> supplier) {
            Objects.requireNonNull(supplier, "supplier");
            return put(new Slot(name, supplier::get, null));
        }

        /**
         * Adds a handler created with the public no-argument constructor of {@code type}.
         *
         * @throws IllegalArgumentException if there is a handler with this name, or there is no such constructor or it is not accessible
         */
        public Builder add(String name, Class<? extends ChannelHandler> type) {
            MethodHandle constructor;
            try {
                constructor = MethodHandles.publicLookup().findConstructor(type, MethodType.methodType(void.class));
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new IllegalArgumentException(
                        type.getName() + " has no accessible public no-argument constructor; pass a supplier instead",
                        e);
            }
            return put(new Slot(name, () -> (ChannelHandler) constructor.invoke(), null));
        }

        /**
         * Adds a handler that all pipelines share.
         *
         * @throws IllegalArgumentException if there is a handler with this name, or {@code handler} is not marked sharable
         */
        public Builder add(String name, ChannelHandler handler) {
            if (!isSharable(handler.getClass())) {
                throw new IllegalArgumentException("handler '" + name + "' is not marked @Sharable: "
                        + handler.getClass().getName() + "; pass its class or a supplier instead");
            }
            return put(new Slot(name, () -> handler, handler));
        }

        private Builder put(Slot slot) {
            if (slots.putIfAbsent(slot.name, slot) != null) {
                throw new IllegalArgumentException("there is already a handler '" + slot.name + "'");
            }
            return this;
        }

        /** Returns a factory of the handlers added so far. */
        public SharingPipelineFactory build() {
            return new SharingPipelineFactory(new ArrayList<>(slots.values()));
        }
    }

    /** Like {@link Supplier}, but may throw. */
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
                throw new ChannelPipelineException("handler '" + name + "' cannot be created", e);
            }
            if (made == null) {
                throw new ChannelPipelineException("the supplier of handler '" + name + "' returned null");
            }
            return made;
        }
    }
}
