package org.freshet.channel;

import java.lang.ref.WeakReference;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.freshet.internal.HandlerFailureHook;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.PeerCaused;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Reports what handlers throw once, with the handler's name.
 *
 * <p>A failure's report passes through methods that users may override and whose signatures are fixed (the pipeline's {@code
 * notifyHandlerException}, the sink's {@code exceptionCaught}), so the name of the handler that failed is kept in a
 * thread-local while they run. It is used only after a failure.
 */
final class Failures {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    /** What failed, as messages name it; unset while no failure is being reported. */
    private static final ThreadLocal<String> THROWER = new ThreadLocal<>();

    /** What was logged last as unhandled, of the few channels that it concerns. */
    private static final ChannelLocal<WeakReference<Throwable>> LAST_REPORTED = new ChannelLocal<>();

    private Failures() {}

    /** Runs {@code report} for a failure of {@code thrower}; null stands for the sink. An Error is logged here already. */
    static void during(DefaultChannelHandlerContext thrower, ChannelEvent e, Throwable t, Runnable report) {
        HeapReserve.onFailure(t);
        String outer = THROWER.get();
        String label = thrower == null ? "the sink" : "handler " + thrower.label();
        THROWER.set(label);
        HandlerFailureHook.handlerThrew(e.getChannel(), t);
        try {
            if (t instanceof Error) {
                logger.error(label + " failed badly on: " + e, t);
            }
            report.run();
        } finally {
            if (outer == null) {
                THROWER.remove();
            } else {
                THROWER.set(outer);
            }
        }
    }

    /** An event for {@code cause}, with the name of what failed on this thread, if a failure is being reported. */
    static ExceptionEvent newEvent(Channel channel, Throwable cause) {
        String thrower = THROWER.get();
        return thrower == null ? new DefaultExceptionEvent(channel, cause) : new Attributed(channel, cause, thrower);
    }

    /** No handler dealt with the event. Logged once for each exception, although several handlers may have passed it on. */
    static void unhandled(ExceptionEvent e) {
        if (isReported(e)) {
            return;
        }
        if (isPeerCaused(e)) {
            PeerFaultLog.log(unhandledOn(e), e.getCause());
        } else if (e instanceof Attributed attributed) {
            if (!(e.getCause() instanceof Error)) { // else logged when it was thrown
                logger.warn(unhandledOn(e) + ", thrown by " + attributed.thrower, e.getCause());
            }
        } else if (isInFuture(e)) {
            logger.debug(unhandledOn(e), e.getCause());
        } else if (e.getCause() instanceof Error) {
            logger.error(unhandledOn(e), e.getCause());
        } else {
            logger.warn(unhandledOn(e), e.getCause());
        }
    }

    /** What a handler threw is its own fault, unless it says otherwise: it may have lost another connection. */
    private static boolean isPeerCaused(ExceptionEvent e) {
        Throwable cause = e.getCause();
        if (cause instanceof PeerCaused) {
            return true;
        }
        return !(e instanceof Attributed)
                && !isInFuture(e)
                && (LostConnection.isLost(cause) || cause instanceof SSLException);
    }

    /** Whether the channel's last report was of the very same exception; from now on it is. */
    private static boolean isReported(ExceptionEvent e) {
        WeakReference<Throwable> last = LAST_REPORTED.get(e.getChannel());
        if (last != null && last.get() == e.getCause()) {
            return true;
        }
        LAST_REPORTED.set(e.getChannel(), new WeakReference<>(e.getCause()));
        return false;
    }

    /**
     * Whether a bind or a connect failed, whose future has the same cause. By then the channel may be closed, with
     * no trace of what was asked of it, so this goes by the kind of cause.
     */
    private static boolean isInFuture(ExceptionEvent e) {
        Channel channel = e.getChannel();
        Throwable cause = e.getCause();
        if (cause instanceof AlreadyBoundException) {
            return true;
        }
        if (channel.isConnected()) {
            return false;
        }
        return cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnresolvedAddressException
                || cause instanceof BindException && !channel.isBound();
    }

    private static String unhandledOn(ExceptionEvent e) {
        return "no handler dealt with an exception on " + e.getChannel();
    }

    /** A handler threw {@code t} while it handled the failure {@code e}; it is logged and not sent on. */
    static void failedAgain(ExceptionEvent e, Throwable t) {
        String thrower = THROWER.get();
        logger.warn((thrower == null ? "a handler" : thrower) + " failed while it handled: " + e, t);
    }

    /** An exception event that knows where it came from. */
    private static final class Attributed extends DefaultExceptionEvent {
        final String thrower;

        Attributed(Channel channel, Throwable cause, String thrower) {
            super(channel, cause);
            this.thrower = thrower;
        }
    }
}
