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
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelState;
import org.freshet.channel.UpstreamChannelStateEvent;

/**
 * Fires the events of a channel's life: each once, in order, and nothing after channelClosed.
 *
 * <p>Belongs to the thread that runs the channel's events.
 */
public final class LifecycleEvents {
    /** What handlers have seen last. */
    private enum Seen {
        OPEN,
        BOUND,
        CONNECTED,
        CLOSED
    }

    private final Channel channel;
    private Seen seen = Seen.OPEN;

    /** What handlers know of {@link Channel#isReadable()}. */
    private boolean readableSeen = true;

    public LifecycleEvents(Channel channel) {
        this.channel = channel;
    }

    /** Whether handlers have seen channelConnected, and neither channelDisconnected nor channelClosed since. */
    public boolean isConnected() {
        return seen == Seen.CONNECTED;
    }

    /** Fires channelOpen for an accepted channel, whose parent has been told already. */
    public void openAccepted() {
        if (seen != Seen.CLOSED) {
            channel.getPipeline().sendUpstream(new UpstreamChannelStateEvent(channel, ChannelState.OPEN, Boolean.TRUE));
        }
    }

    public void bound(SocketAddress local) {
        if (seen == Seen.OPEN) {
            seen = Seen.BOUND;
            fireChannelBound(channel, local);
        }
    }

    /** Binds first, where handlers have not seen that. */
    public void connected(SocketAddress local, SocketAddress remote) {
        bound(local);
        if (seen != Seen.CLOSED) {
            seen = Seen.CONNECTED;
            fireChannelConnected(channel, remote);
        }
    }

    public void disconnected() {
        if (seen == Seen.CONNECTED) {
            seen = Seen.BOUND;
            fireChannelDisconnected(channel);
        }
    }

    /** Fires what {@link Channel#isReadable()} answers now, if handlers know otherwise. */
    public void readability() {
        boolean readable = channel.isReadable();
        if (readable != readableSeen && seen != Seen.CLOSED) {
            readableSeen = readable;
            fireChannelInterestChanged(channel);
        }
    }

    /** The transport has changed {@link Channel#isWritable()}. */
    public void writability() {
        if (seen != Seen.CLOSED) {
            fireChannelInterestChanged(channel);
        }
    }

    /**
     * So much was written.
     *
     * @param amount in the transport's unit; 0 for nothing to tell
     */
    public void written(long amount) {
        if (amount > 0 && seen != Seen.CLOSED) {
            fireWriteComplete(channel, amount);
        }
    }

    public void failed(Throwable cause) {
        if (seen != Seen.CLOSED) {
            fireExceptionCaught(channel, cause);
        }
    }

    /** Ends all that handlers have seen begin; fires nothing the second time. */
    public void closed() {
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
