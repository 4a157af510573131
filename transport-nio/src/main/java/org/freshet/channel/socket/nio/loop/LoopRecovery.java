package org.freshet.channel.socket.nio.loop;

import org.freshet.internal.HeapReserve;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * What a loop still has to do because it failed for want of memory: channels to close, a selector to replace, a failure to log. Loop
 * only.
 *
 * <p>To note a failure allocates nothing and throws nothing; what was noted is done in a later turn.
 */
public final class LoopRecovery {
    /** Between attempts. */
    public static final long RETRY_MILLIS = 10;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopRecovery.class);

    private final BrokenChannels broken = new BrokenChannels();

    /** Whether memory ran out within a turn, which may have left the JDK's selector with keys that are in part forgotten. */
    private boolean isSelectorSuspect;

    /** The first failure that could not be logged, to be logged later; null if there is none. */
    private Throwable unlogged;

    /** Whether something is still to be done. */
    public boolean isPending() {
        return isSelectorSuspect || !broken.isEmpty();
    }

    // ---- channels ---------------------------------------------------------------------------------------------------

    /** Has a channel closed in a later turn. */
    public void add(LoopChannel channel) {
        broken.add(channel);
    }

    /**
     * Closes the channels that were added. One that throws for want of memory stays for the next call, as do those behind it.
     *
     * @param closeAll closes every channel of the loop, and adds those that it cannot close
     */
    public void closeChannels(Runnable closeAll) {
        if (!broken.isEmpty()) {
            broken.close(closeAll);
        }
    }

    // ---- the selector -----------------------------------------------------------------------------------------------

    public void onFailure(Throwable t) {
        HeapReserve.onFailure(t);
        isSelectorSuspect |= t instanceof OutOfMemoryError;
    }

    /**
     * Whether the selector has to be replaced now; true once. Only when memory is back: the JDK does not undo what it had begun when
     * memory ran out, such as the registration of a socket.
     */
    public boolean takeSelectorSuspicion() {
        if (isSelectorSuspect && broken.isEmpty() && !HeapReserve.isMissing()) {
            isSelectorSuspect = false;
            return true;
        }
        return false;
    }

    // ---- the log ----------------------------------------------------------------------------------------------------

    /** A JVM without memory or descriptors may be unable to log, or to load what logging needs; then the failure is logged with the next message. */
    public void log(String message, Throwable t) {
        onFailure(t);
        if (HeapReserve.isMissing()) { // each attempt would take long, and what memory there is
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
