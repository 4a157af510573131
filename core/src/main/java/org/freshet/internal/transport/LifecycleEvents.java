package org.freshet.internal.transport;

import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireExceptionCaught;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DefaultChildChannelStateEvent;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.EventKind;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.SelectivePipeline;
import org.freshet.internal.metering.ConnectionRecording;
import org.freshet.internal.telemetry.ConnectionCounters;

/**
 * Fires the life-cycle events of a channel: each once, in order, and nothing after channelClosed.
 *
 * <p>If memory runs out before an event exists, it counts as not fired, and the same call may be repeated. Once it exists, handlers may
 * have seen it.
 *
 * <p>Belongs to the thread that runs the channel's events.
 */
public final class LifecycleEvents {
    /** The last event that handlers have seen. */
    private enum Seen {
        /** For an accepted channel, until its parent's handlers have seen childChannelOpen. */
        NOTHING,
        OPEN,
        BOUND,
        CONNECTED,
        CLOSED,
        /** The handlers of the parent, if there is one, have been notified as well. */
        CLOSED_FOR_PARENT
    }

    private final Channel channel;
    private Seen seen;

    /** Events of an accepted channel before its channelOpen. Null after that, and for all other channels. */
    private Deque<Runnable> early;

    /** Whether Flight Recorder has the connection. Handlers see it later: counting it in between may need memory. */
    private boolean isRecorded;

    /** The value of {@link Channel#isReadable()} that handlers know. */
    private boolean readableSeen = true;

    private LifecycleEvents(Channel channel, Seen seen) {
        this.channel = channel;
        this.seen = seen;
    }

    /** For a channel accepted by a server if {@code isAccepted}, otherwise for one that fires its own channelOpen. */
    public static LifecycleEvents of(Channel channel, boolean isAccepted) {
        return new LifecycleEvents(channel, isAccepted ? Seen.NOTHING : Seen.OPEN);
    }

    /** For the closing events of a channel that has fired all others itself. */
    public static LifecycleEvents closing(Channel channel, boolean isConnected, boolean isBound) {
        return new LifecycleEvents(channel, isConnected ? Seen.CONNECTED : isBound ? Seen.BOUND : Seen.OPEN);
    }

    /** Whether handlers have seen channelConnected, but not yet channelDisconnected or channelClosed. */
    public boolean isConnected() {
        return seen == Seen.CONNECTED;
    }

    /** Fires channelOpen for an accepted channel, after its parent's childChannelOpen. */
    public void openAccepted() {
        if (seen == Seen.NOTHING) {
            fire(EventKind.OPEN, ChannelState.OPEN, Boolean.TRUE, Seen.OPEN);
        }
    }

    /** Fires nothing from now on, not even channelClosed; for a channel that was never opened. */
    public void suppress() {
        seen = Seen.CLOSED_FOR_PARENT;
    }

    private boolean isClosed() {
        return seen == Seen.CLOSED || seen == Seen.CLOSED_FOR_PARENT;
    }

    private void fire(EventKind kind, ChannelState state, Object value, Seen after) {
        ChannelPipeline pipeline = channel.getPipeline();
        ChannelEvent event = event(pipeline, kind, state, value);
        seen = after;
        send(pipeline, event);
    }

    /** Null if all handlers would only pass the event on. */
    private ChannelEvent event(ChannelPipeline pipeline, EventKind kind, ChannelState state, Object value) {
        return SelectivePipeline.mayBeSeen(pipeline, kind)
                ? new UpstreamChannelStateEvent(channel, state, value)
                : null;
    }

    private static void send(ChannelPipeline pipeline, ChannelEvent event) {
        if (event != null) {
            pipeline.sendUpstream(event);
        }
    }

    public void bound(SocketAddress local) {
        if (seen == Seen.OPEN) {
            fire(EventKind.BOUND, ChannelState.BOUND, local, Seen.BOUND);
        }
    }

    /** Fires channelBound first if handlers have not seen it. Postponed events of an accepted channel follow. */
    public void connected(SocketAddress local, SocketAddress remote) {
        bound(local);
        if (!isClosed()) {
            ChannelPipeline pipeline = channel.getPipeline();
            ChannelEvent event = event(pipeline, EventKind.CONNECTED, ChannelState.CONNECTED, remote);
            if (!isRecorded) {
                ConnectionRecording.begin(channel);
                isRecorded = true;
            }
            if (channel instanceof ConnectionCounters.Source counting) {
                counting.connectionCounters().onOpened();
            }
            seen = Seen.CONNECTED;
            send(pipeline, event);
        }
        fireEarly();
    }

    public void disconnected() {
        if (seen == Seen.CONNECTED) {
            fire(EventKind.DISCONNECTED, ChannelState.CONNECTED, null, Seen.BOUND);
        }
    }

    /** Whether events have to wait for the opening of an accepted channel. */
    private boolean isTooEarly() {
        return seen == Seen.NOTHING;
    }

    /** Fires the event after the opening. */
    private void postpone(Runnable event) {
        if (early == null) {
            early = new ArrayDeque<>();
        }
        early.add(event);
    }

    private void fireEarly() {
        if (early != null) {
            Deque<Runnable> events = early;
            early = null;
            events.forEach(Runnable::run);
        }
    }

    /** Fires channelInterestChanged if {@link Channel#isReadable()} differs from what handlers know. */
    public void readability() {
        boolean readable = channel.isReadable();
        if (isTooEarly()) {
            postpone(this::readability);
        } else if (readable != readableSeen && !isClosed()) {
            ChannelPipeline pipeline = channel.getPipeline();
            ChannelEvent event =
                    event(pipeline, EventKind.INTEREST_CHANGED, ChannelState.INTEREST_OPS, Channel.OP_READ);
            readableSeen = readable;
            send(pipeline, event);
        }
    }

    /** Called when the transport has changed {@link Channel#isWritable()}. */
    public void writability() {
        if (isTooEarly()) {
            postpone(this::writability);
        } else if (!isClosed()) {
            fireChannelInterestChanged(channel);
        }
    }

    /** Whether a handler may act on writeComplete. If not, {@link #written} need not be called. */
    public boolean areWritesSeen() {
        return SelectivePipeline.mayBeSeen(channel.getPipeline(), EventKind.WRITTEN);
    }

    /** Fires writeComplete. The caller creates the event, to note first that the amount is reported. */
    public void written(WriteCompletionEvent event) {
        if (isTooEarly()) {
            postpone(() -> written(event));
        } else if (!isClosed()) {
            channel.getPipeline().sendUpstream(event);
        }
    }

    public void failed(Throwable cause) {
        if (isTooEarly()) {
            postpone(() -> failed(cause));
        } else if (!isClosed()) {
            fireExceptionCaught(channel, cause);
        }
    }

    /**
     * Fires the closing counterparts of all events that handlers have seen, of which there is at least the opening. Fires nothing the
     * second time.
     */
    public void closed() {
        openAccepted();
        fireEarly();
        if (seen == Seen.CONNECTED) {
            onDisconnecting();
        }
        if (seen == Seen.BOUND) {
            fire(EventKind.UNBOUND, ChannelState.BOUND, null, Seen.OPEN);
        }
        if (seen == Seen.OPEN) {
            fire(EventKind.CLOSED, ChannelState.OPEN, Boolean.FALSE, Seen.CLOSED);
        }
        if (seen == Seen.CLOSED) {
            announceToParent();
        }
    }

    private void onDisconnecting() {
        ChannelPipeline pipeline = channel.getPipeline();
        ChannelEvent event = event(pipeline, EventKind.DISCONNECTED, ChannelState.CONNECTED, null);
        if (channel instanceof ConnectionCounters.Source counting) { // may need memory, and counts nothing without
            counting.connectionCounters().onClosed(channel.getCloseReason().kind());
        }
        seen = Seen.BOUND;
        send(pipeline, event);
    }

    /** Notifies the parent's handlers on their thread, unless they would only pass the event on. */
    private void announceToParent() {
        Channel parent = channel.getParent();
        if (parent == null || !SelectivePipeline.mayBeSeen(parent.getPipeline(), EventKind.CHILD_CLOSED)) {
            seen = Seen.CLOSED_FOR_PARENT;
            return;
        }
        ChannelPipeline pipeline = parent.getPipeline();
        ChannelEvent event = new DefaultChildChannelStateEvent(parent, channel);
        if (parent instanceof IoThreadBound bound && bound.runsEvents()) {
            seen = Seen.CLOSED_FOR_PARENT;
            pipeline.sendUpstream(event);
        } else {
            pipeline.execute(() -> pipeline.sendUpstream(event));
            seen = Seen.CLOSED_FOR_PARENT;
        }
    }
}
