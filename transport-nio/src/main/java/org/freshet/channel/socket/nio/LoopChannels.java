package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.LoopRecovery;
import org.freshet.channel.socket.nio.loop.LoopSelector;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * What a loop's channels have asked for within a turn, to be done at its end: to send and to close; and the channels that no key
 * stands for. Loop only.
 *
 * <p>A channel that fails is closed alone.
 */
final class LoopChannels {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopChannels.class);

    private final LoopSelector selector;
    private final LoopRecovery recovery;
    private final LoopCounters counters;

    /** Channels that wait for the end of the turn to send what was written to them. */
    private final ArrayDeque<NioChannel> written = new ArrayDeque<>();

    /** What was asked to close in this turn. */
    private final ArrayDeque<CloseRequest> closing = new ArrayDeque<>();

    /** To be closed when the loop stops, in the order in which they were opened: those without a key, or that get it while it stops. */
    private final Set<LoopChannel> unregistered = new LinkedHashSet<>();

    private final Consumer<LoopChannel> closeAction = this::closeNow;

    LoopChannels(LoopSelector selector, LoopRecovery recovery, LoopCounters counters) {
        this.selector = selector;
        this.recovery = recovery;
        this.counters = counters;
    }

    private record CloseRequest(LoopChannel.ClosableChannel channel, ChannelFuture future) {}

    // ---- what channels ask for --------------------------------------------------------------------------------------

    void addUnregistered(LoopChannel channel) {
        unregistered.add(channel);
    }

    void removeUnregistered(LoopChannel channel) {
        unregistered.remove(channel);
    }

    void addWritten(NioChannel channel) {
        written.add(channel);
    }

    void addClosing(LoopChannel.ClosableChannel channel, ChannelFuture future) {
        try {
            closing.add(new CloseRequest(channel, future));
        } catch (Throwable noMemory) {
            recovery.add(channel);
            throw noMemory;
        }
    }

    // ---- what the loop does -----------------------------------------------------------------------------------------

    boolean hasWork() {
        return !written.isEmpty() || !closing.isEmpty();
    }

    /** Has a channel report its failure and close; throws nothing. If the failure is that the heap is full, it only closes. */
    void fail(LoopChannel channel, Throwable cause) {
        recovery.onFailure(cause);
        if (cause instanceof OutOfMemoryError && HeapReserve.isMissing()) {
            recovery.logLater(cause);
            recovery.add(channel);
            return;
        }
        try {
            channel.onFailed(cause);
        } catch (Throwable alsoFailed) {
            recovery.add(channel);
            recovery.log("failed to report the failure of a channel, which is closed", alsoFailed);
        }
    }

    void flushWritten() {
        // What listeners write meanwhile to further channels waits for the next turn, so that reads are not delayed.
        for (int i = written.size(); i > 0; i--) {
            NioChannel channel = written.poll();
            counters.beginChannel(channel.hashCode());
            try {
                channel.flusher().onTurnEnds();
            } catch (Throwable t) {
                fail(channel, t);
            }
        }
    }

    void closeAsked() {
        for (CloseRequest request = closing.poll(); request != null; request = closing.poll()) {
            counters.beginChannel(request.channel.hashCode());
            try {
                request.channel.onClose(request.future);
            } catch (Throwable t) {
                recovery.add(request.channel);
                recovery.log("failed to close a channel", t);
            }
        }
    }

    /** For when the selector misbehaves; if no new one can be opened, the old one goes on. */
    void moveToNewSelector() {
        Selector old;
        try {
            old = selector.rebuild(closeAction);
        } catch (IOException e) {
            logger.error("failed to rebuild a selector; going on with the old one", e);
            return;
        }
        try {
            old.close();
        } catch (Throwable t) { // the channels have moved, whatever the old selector's keys may be like
            recovery.log("failed to close a selector that was replaced", t);
        }
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    boolean isAnyUnregistered() {
        return !unregistered.isEmpty();
    }

    /** Closes every channel of the loop, but those that there is no memory for. */
    void closeAll() {
        for (LoopChannel channel : new ArrayList<>(unregistered)) {
            if (closeNow(channel)) {
                unregistered.remove(channel);
            }
        }
        selector.channels().forEach(closeAction);
    }

    /** Returns false if there is no memory for it now; throws nothing. */
    boolean closeNow(LoopChannel channel) {
        try {
            channel.onLoopStopping();
            return true;
        } catch (OutOfMemoryError e) {
            recovery.add(channel);
            recovery.logLater(e);
            return false;
        } catch (Throwable t) {
            recovery.log("failed to close a channel", t);
            return true;
        }
    }
}
