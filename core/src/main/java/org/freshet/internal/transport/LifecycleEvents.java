package org.freshet.internal.transport;

import static org.freshet.channel.Channels.fireChannelBound;
import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelConnected;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireChannelUnbound;
import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelState;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.internal.metering.ConnectionRecording;
import org.freshet.internal.telemetry.ConnectionCounters;

/**
 * Fires the life-cycle events of a channel: each once, in order, and nothing after channelClosed.
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
        CLOSED
    }

    private final Channel channel;
    private Seen seen;

    /** Events of an accepted channel before its channelOpen. Null after that, and for all other channels. */
    private Deque<Runnable> early;

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

    /** Whether handlers have seen channelConnected, but not yet channelDisconnected or channelClosed. */
    public boolean isConnected() {
        return seen == Seen.CONNECTED;
    }

    /** Fires channelOpen for an accepted channel, after its parent's childChannelOpen. */
    public void openAccepted() {
        if (seen == Seen.NOTHING) {
            seen = Seen.OPEN;
            channel.getPipeline().sendUpstream(new UpstreamChannelStateEvent(channel, ChannelState.OPEN, Boolean.TRUE));
        }
    }

    /** Fires nothing from now on, not even channelClosed; for a channel that was never opened. */
    public void suppress() {
        seen = Seen.CLOSED;
    }

    public void bound(SocketAddress local) {
        if (seen == Seen.OPEN) {
            seen = Seen.BOUND;
            fireChannelBound(channel, local);
        }
    }

    /** Fires channelBound first if handlers have not seen it. Postponed events of an accepted channel follow. */
    public void connected(SocketAddress local, SocketAddress remote) {
        bound(local);
        if (seen != Seen.CLOSED) {
            seen = Seen.CONNECTED;
            ConnectionRecording.begin(channel);
            if (channel instanceof ConnectionCounters.Source counting) {
                counting.connectionCounters().onOpened();
            }
            fireChannelConnected(channel, remote);
        }
        fireEarly();
    }

    public void disconnected() {
        if (seen == Seen.CONNECTED) {
            seen = Seen.BOUND;
            fireChannelDisconnected(channel);
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
        } else if (readable != readableSeen && seen != Seen.CLOSED) {
            readableSeen = readable;
            fireChannelInterestChanged(channel);
        }
    }

    /** Called when the transport has changed {@link Channel#isWritable()}. */
    public void writability() {
        if (isTooEarly()) {
            postpone(this::writability);
        } else if (seen != Seen.CLOSED) {
            fireChannelInterestChanged(channel);
        }
    }

    /**
     * Fires writeComplete.
     *
     * @param amount in the transport's unit; 0 to fire nothing
     */
    public void written(long amount) {
        if (amount > 0 && isTooEarly()) {
            postpone(() -> written(amount));
        } else if (amount > 0 && seen != Seen.CLOSED) {
            fireWriteComplete(channel, amount);
        }
    }

    public void failed(Throwable cause) {
        if (isTooEarly()) {
            postpone(() -> failed(cause));
        } else if (seen != Seen.CLOSED) {
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
        if (seen == Seen.CONNECTED && channel instanceof ConnectionCounters.Source counting) {
            counting.connectionCounters().onClosed(channel.getCloseReason().kind());
        }
        disconnected();
        if (seen == Seen.BOUND) {
            seen = Seen.OPEN;
            fireChannelUnbound(channel);
        }
        if (seen == Seen.OPEN) {
            seen = Seen.CLOSED;
            fireChannelClosed(channel);
        }
    }
}
