package org.freshet.channel;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Locale;
import org.freshet.internal.NoChannelState;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** What happens to an unmarked handler that is added to a second pipeline; {@link ChannelHandler.Sharable} states the rules. */
enum Sharability {
    /** Freshet's stateful handlers and their subclasses are refused; others are accepted with one warning per class. */
    DEFAULT,

    /** All are refused. */
    ENFORCE,

    /** All are accepted, with one warning per class. */
    WARN,

    /** All are accepted; nothing is tracked. */
    OFF;

    static final String PROPERTY = "org.freshet.sharability";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Sharability.class);

    /** The mode of this JVM, read once. */
    static final Sharability MODE = parse(System.getProperty(PROPERTY, ChannelDefaults.sharability()));

    /** How an instance of a class may be used. */
    private enum Use {
        /** The class is marked. */
        SHARABLE,

        /** The class or a superclass is Freshet's, is not marked and has fields: two connections would mix up their state. */
        EXCLUSIVE,

        /** The class is not marked, and only its author knows whether it has state. */
        UNMARKED
    }

    /** What is known about a handler class; any thread may use it. */
    private static final class Kind {
        final Use use;

        /** Set by the first thread that warns; a second warning in a race does no harm. */
        volatile boolean warned;

        Kind(Use use) {
            this.use = use;
        }
    }

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return new Kind(useOf(type));
        }
    };

    static Sharability parse(String value) {
        if (value == null) {
            return DEFAULT;
        }
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "enforce" -> ENFORCE;
            case "warn" -> WARN;
            case "off" -> OFF;
            default -> {
                logger.warn(PROPERTY + " must be enforce, warn or off; ignored: " + value);
                yield DEFAULT;
            }
        };
    }

    /** Whether the class is marked. */
    static boolean isSharable(ChannelHandler handler) {
        return KINDS.get(handler.getClass()).use == Use.SHARABLE;
    }

    /** Whether the handler must not, or should not, be in two places. */
    static boolean isExclusive(ChannelHandler handler) {
        return MODE != OFF && KINDS.get(handler.getClass()).use != Use.SHARABLE;
    }

    /** Whether to look for a second place of the handler. Once a warning about its class has been logged, there is no need to. */
    static boolean isChecked(ChannelHandler handler) {
        if (MODE == OFF) {
            return false;
        }
        Kind kind = KINDS.get(handler.getClass());
        return kind.use != Use.SHARABLE && (!kind.warned || MODE.refuses(kind));
    }

    /** Whether the handler must not be in two places. */
    static boolean isRefused(ChannelHandler handler) {
        return MODE.refuses(KINDS.get(handler.getClass()));
    }

    private boolean refuses(Kind kind) {
        return switch (this) {
            case DEFAULT -> kind.use == Use.EXCLUSIVE;
            case ENFORCE -> kind.use != Use.SHARABLE;
            case WARN, OFF -> false;
        };
    }

    /** Refuses a handler that is already in another place, or warns about it. May log, so hold no lock. */
    static void onSecondPlace(DefaultChannelHandlerContext wanted, DefaultChannelHandlerContext present) {
        Kind kind = KINDS.get(wanted.getHandler().getClass());
        if (MODE.refuses(kind)) {
            throw new ChannelPipelineException(
                    handlerText(wanted) + " cannot be added as '" + wanted.getName() + "': it is already in "
                            + placeText(wanted, present) + ". " + remedy(wanted, kind) + " -D" + PROPERTY
                            + "=warn allows it.");
        }
        if (!kind.warned) {
            kind.warned = true;
            logger.warn(handlerText(wanted) + " is added as '" + wanted.getName() + "' although it is already in "
                    + placeText(wanted, present) + ". " + remedy(wanted, kind)
                    + " This is logged once per class; -D" + PROPERTY
                    + "=enforce refuses such handlers, =off disables the check.");
        }
    }

    private static String handlerText(DefaultChannelHandlerContext wanted) {
        ChannelHandler handler = wanted.getHandler();
        return "handler " + handler.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(handler));
    }

    private static String placeText(DefaultChannelHandlerContext wanted, DefaultChannelHandlerContext present) {
        Channel channel = present.getChannel();
        return (wanted.pipeline == present.pipeline ? "this" : "another") + " pipeline, as '" + present.getName() + '\''
                + (channel == null ? ", without a channel yet" : " of channel " + channel);
    }

    private static String remedy(DefaultChannelHandlerContext wanted, Kind kind) {
        if (kind.use == Use.EXCLUSIVE) {
            return "It keeps the state of one channel: create a new one for each channel.";
        }
        return "If it keeps no state of a channel, mark class "
                + wanted.getHandler().getClass().getName()
                + " with @ChannelHandler.Sharable; otherwise create a new one for each channel.";
    }

    // ---- classes ----

    private static Use useOf(Class<?> type) {
        if (type.isAnnotationPresent(ChannelHandler.Sharable.class)) {
            return Use.SHARABLE;
        }
        for (Class<?> t = type; t != null; t = t.getSuperclass()) {
            if (isOurs(t) && hasState(t)) {
                return Use.EXCLUSIVE;
            }
        }
        return Use.UNMARKED;
    }

    /** The examples are there for users to copy, so they are treated like users' classes. */
    private static boolean isOurs(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.freshet.") && !name.startsWith("org.freshet.example.");
    }

    /** The Simple handlers, and adapters such as OneToOneEncoder, have no fields except the owner. */
    private static boolean hasState(Class<?> type) {
        if (type == OwnableHandler.class || type.isAnnotationPresent(NoChannelState.class)) {
            return false;
        }
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                return true;
            }
        }
        return false;
    }
}
