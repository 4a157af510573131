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
 * Requests of a loop's channels to send and to close, to be carried out at the end of the turn; and the channels
 * without a key. Loop only.
 *
 * <p>If a channel fails, only that channel is closed.
 */
final class LoopChannels {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopChannels.class);

    private final LoopSelector selector;
    private final LoopRecovery recovery;
    private final LoopCounters counters;

    /** Channels waiting for the end of the turn to send the messages written to them. */
    private final ArrayDeque<NioChannel> written = new ArrayDeque<>();

    /** Close requests of this turn. */
    private final ArrayDeque<CloseRequest> closing = new ArrayDeque<>();

    /**
     * Channels to close when the loop stops, in opening order: those without a key, or that get one while the loop
     * stops.
     */
    private final Set<LoopChannel> unregistered = new LinkedHashSet<>();

    private final Consumer<LoopChannel> closeAction = this::closeNow;

    LoopChannels(LoopSelector selector, LoopRecovery recovery, LoopCounters counters) {
        this.selector = selector;
        this.recovery = recovery;
        this.counters = counters;
    }

    private record CloseRequest(LoopChannel.ClosableChannel channel, ChannelFuture future) {}

    // ---- requests of channels ---------------------------------------------------------------------------------------

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

    // ---- called by the loop -----------------------------------------------------------------------------------------

    boolean hasWork() {
        return !written.isEmpty() || !closing.isEmpty();
    }

    /** Makes a channel report its failure and close; while the heap is full, only close. Never throws. */
    void fail(LoopChannel channel, Throwable cause) {
        recovery.onFailure(cause);
        if (cause instanceof OutOfMemoryError && HeapReserve.isMissing()) {
            recovery.logLater(cause);
            closeLater(channel);
            return;
        }
        try {
            channel.onFailed(cause);
        } catch (Throwable alsoFailed) {
            closeLater(channel);
            recovery.log("failed to report the failure of a channel", alsoFailed);
        }
    }

    private void closeLater(LoopChannel channel) {
        if (channel.closesOnFailure()) {
            recovery.add(channel);
        }
    }

    void flushWritten() {
        // Messages that listeners write to other channels wait for the next turn, so reads are not delayed.
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

    /** Replaces a selector that misbehaves. If no new one can be opened, the old one stays in use. */
    void moveToNewSelector() {
        Selector old;
        try {
            old = selector.rebuild(closeAction);
        } catch (IOException e) {
            logger.error("failed to rebuild a selector; continuing with the old one", e);
            return;
        }
        try {
            old.close();
        } catch (Throwable t) { // the channels have moved, whatever state the old selector's keys are in
            recovery.log("failed to close a selector that was replaced", t);
        }
    }

    // ---- shutdown ---------------------------------------------------------------------------------------------------

    boolean isAnyUnregistered() {
        return !unregistered.isEmpty();
    }

    /** Closes every channel of the loop, except where memory runs out. */
    void closeAll() {
        for (LoopChannel channel : new ArrayList<>(unregistered)) {
            if (closeNow(channel)) {
                unregistered.remove(channel);
            }
        }
        selector.channels().forEach(closeAction);
    }

    /** Returns false if there is not enough memory now. Never throws. */
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
