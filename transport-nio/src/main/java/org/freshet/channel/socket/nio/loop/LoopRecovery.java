package org.freshet.channel.socket.nio.loop;

import org.freshet.internal.HeapReserve;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The work left after a loop ran out of memory: channels to close, a selector to replace, a failure to log. Loop only.
 *
 * <p>Recording a failure allocates nothing and throws nothing; the work is done in a later turn.
 */
public final class LoopRecovery {
    /** Milliseconds between attempts. */
    public static final long RETRY_MILLIS = 10;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopRecovery.class);

    private final BrokenChannels broken = new BrokenChannels();

    /** Whether memory ran out within a turn. That may have left half-removed keys in the JDK's selector. */
    private boolean isSelectorSuspect;

    /** The first failure that could not be logged yet, or null. */
    private Throwable unlogged;

    /** Returns whether any work is left. */
    public boolean isPending() {
        return isSelectorSuspect || !broken.isEmpty();
    }

    // ---- channels ---------------------------------------------------------------------------------------------------

    /** Adds a channel, to be closed in a later turn. */
    public void add(LoopChannel channel) {
        broken.add(channel);
    }

    /**
     * Closes the channels that were added. If one throws because memory is exhausted, it and those after it stay for
     * the next call.
     *
     * @param closeAll closes every channel of the loop, and adds those that it cannot close
     */
    public void closeChannels(Runnable closeAll) {
        broken.close(closeAll);
    }

    // ---- the selector -----------------------------------------------------------------------------------------------

    public void onFailure(Throwable t) {
        isSelectorSuspect |= t instanceof OutOfMemoryError;
        HeapReserve.onFailure(t);
    }

    /**
     * Returns whether the selector must be replaced now; true only once. Waits until memory is back: when memory runs
     * out, the JDK leaves operations such as registering a socket half done.
     */
    public boolean takeSelectorSuspicion() {
        if (isSelectorSuspect && broken.isEmpty() && !HeapReserve.isMissing()) {
            isSelectorSuspect = false;
            return true;
        }
        return false;
    }

    // ---- the log ----------------------------------------------------------------------------------------------------

    /**
     * Logs a message, or keeps the failure and logs it with the next one: a JVM without memory or file descriptors may
     * be unable to log, or to load the classes needed for logging.
     */
    public void log(String message, Throwable t) {
        onFailure(t);
        if (HeapReserve.isMissing()) { // each attempt would have the collector stop all threads
            logLater(t);
            return;
        }
        try {
            if (unlogged != null) {
                logger.error("an I/O loop could not log an earlier failure", unlogged);
                unlogged = null;
            }
            logger.error(message, t);
        } catch (Throwable unloggable) {
            logLater(t);
        }
    }

    /** Keeps a failure until the next message is logged. */
    public void logLater(Throwable t) {
        onFailure(t);
        if (unlogged == null) {
            unlogged = t;
        }
    }
}
