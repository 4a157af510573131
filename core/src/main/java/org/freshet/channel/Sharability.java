package org.freshet.channel;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** What happens to an exclusive handler that is found in two pipelines: the rule is told in {@link ChannelHandler.Sharable}. */
enum Sharability {
    /** It is refused. */
    ENFORCE,

    /** It is let in; the log complains once for each class. */
    WARN,

    /** It is let in; nothing is tracked. */
    OFF;

    static final String PROPERTY = "org.freshet.sharability";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Sharability.class);

    /** How this JVM was started. */
    static final Sharability MODE = parse(System.getProperty(PROPERTY));

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return new Kind(type.isAnnotationPresent(ChannelHandler.Sharable.class), new AtomicBoolean());
        }
    };

    /** What is known of a class of handlers. */
    private record Kind(boolean sharable, AtomicBoolean warned) {}

    static Sharability parse(String value) {
        if (value == null) {
            return ENFORCE;
        }
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "enforce" -> ENFORCE;
            case "warn" -> WARN;
            case "off" -> OFF;
            default -> {
                logger.warn(PROPERTY + " is none of enforce, warn, off; enforcing: " + value);
                yield ENFORCE;
            }
        };
    }

    /** Whether the handler may sit in one place only, and anybody cares. */
    static boolean isExclusive(ChannelHandler handler) {
        return MODE != OFF && !KINDS.get(handler.getClass()).sharable;
    }

    /** Deals with an exclusive handler that wants a second place; may log, so hold no lock. */
    static void onSecondPlace(DefaultChannelHandlerContext wanted, DefaultChannelHandlerContext taken) {
        if (MODE == ENFORCE) {
            throw new ChannelPipelineException(complaint(wanted, taken));
        }
        if (MODE == WARN && KINDS.get(wanted.getHandler().getClass()).warned.compareAndSet(false, true)) {
            logger.warn(complaint(wanted, taken));
        }
    }

    private static String complaint(DefaultChannelHandlerContext wanted, DefaultChannelHandlerContext taken) {
        ChannelHandler handler = wanted.getHandler();
        String type = handler.getClass().getName();
        String instance = type + "@" + Integer.toHexString(System.identityHashCode(handler));
        return "handler " + instance + " cannot be added as '" + wanted.getName() + "': it sits in "
                + (wanted.pipeline == taken.pipeline ? "this" : "another") + " pipeline already, as '" + taken.getName()
                + "' of channel " + taken.getChannel() + ". If it keeps no state of a single channel, mark class "
                + type
                + " with @ChannelHandler.Sharable; else make a new one for each channel. -D" + PROPERTY
                + "=warn|off lets it pass.";
    }
}
