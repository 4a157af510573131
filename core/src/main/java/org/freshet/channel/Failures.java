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
import org.freshet.internal.SafeText;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Reports each exception thrown by a handler once, with the handler's name.
 *
 * <p>The report of a failure passes through methods that users may override and whose signatures are fixed: the pipeline's
 * {@code notifyHandlerException} and the sink's {@code exceptionCaught}. So the name of the failed handler is kept in a thread-local while
 * they run. It is used only after a failure.
 */
final class Failures {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    /** The name of the failed handler or sink for messages; unset while no failure is being reported. */
    private static final ThreadLocal<String> THROWER = new ThreadLocal<>();

    /** The exception last logged as unhandled, for the few channels that had one. */
    private static final ChannelLocal<WeakReference<Throwable>> LAST_REPORTED = new ChannelLocal<>();

    private Failures() {}

    /** Runs {@code report} for a failure of {@code thrower}; null means the sink. An Error is already logged here. */
    static void during(DefaultChannelHandlerContext thrower, ChannelEvent e, Throwable t, Runnable report) {
        HeapReserve.onFailure(t);
        String outer = THROWER.get();
        String label = thrower == null ? "the sink" : "handler " + thrower.label();
        THROWER.set(label);
        HandlerFailureHook.handlerThrew(e.getChannel(), t);
        try {
            if (t instanceof Error) {
                logger.error(label + " threw an Error on: " + SafeText.of(e), t);
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

    /** Creates an event for {@code cause}. While a failure is being reported on this thread, the event has the name of what failed. */
    static ExceptionEvent newEvent(Channel channel, Throwable cause) {
        String thrower = THROWER.get();
        return thrower == null ? new DefaultExceptionEvent(channel, cause) : new Attributed(channel, cause, thrower);
    }

    /** Logs an event that no handler handled. Logged once per exception, even if several handlers passed it on. */
    static void unhandled(ExceptionEvent e) {
        if (isReported(e)) {
            return;
        }
        if (isPeerCaused(e)) {
            PeerFaultLog.log(unhandledOn(e), e.getCause());
        } else if (e instanceof Attributed attributed) {
            if (!(e.getCause() instanceof Error)) { // otherwise logged when it was thrown
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

    /** An exception thrown by a handler is the handler's fault unless marked otherwise: the handler may have lost another connection. */
    private static boolean isPeerCaused(ExceptionEvent e) {
        Throwable cause = e.getCause();
        if (cause instanceof PeerCaused) {
            return true;
        }
        return !(e instanceof Attributed)
                && !isInFuture(e)
                && (LostConnection.isLost(cause) || cause instanceof SSLException);
    }

    /** Whether the channel's last report was of the same exception. If not, remembers this one. */
    private static boolean isReported(ExceptionEvent e) {
        WeakReference<Throwable> last = LAST_REPORTED.get(e.getChannel());
        if (last != null && last.get() == e.getCause()) {
            return true;
        }
        LAST_REPORTED.set(e.getChannel(), new WeakReference<>(e.getCause()));
        return false;
    }

    /**
     * Whether a bind or a connect failed, so that its future has the same cause. By then the channel may be closed, with no trace of the
     * request, so the type of the cause decides.
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

    /** Logs that a handler threw {@code t} while handling the failure {@code e}; {@code t} is not sent on. */
    static void failedAgain(ExceptionEvent e, Throwable t) {
        String thrower = THROWER.get();
        logger.warn((thrower == null ? "a handler" : thrower) + " failed while it handled: " + SafeText.of(e), t);
    }

    /** An exception event with the name of the handler or sink that threw. */
    private static final class Attributed extends DefaultExceptionEvent {
        final String thrower;

        Attributed(Channel channel, Throwable cause, String thrower) {
            super(channel, cause);
            this.thrower = thrower;
        }
    }
}
