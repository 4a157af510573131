package org.freshet.channel.socket.nio.loop;

import java.nio.channels.SelectionKey;
import org.freshet.channel.ChannelFuture;

/** What a loop knows of the channels and connect attempts that it drives. All methods run on the loop. */
public interface LoopChannel {
    /**
     * Something threw while the loop worked on this channel: reports it and asks for a close, except that a server stays open. May
     * throw where memory is exhausted; the loop then calls {@link #onLoopStopping()}.
     */
    void onFailed(Throwable cause);

    /**
     * Closes at once, fails everything outstanding and fires the closing events. If it throws for want of memory, it is called again
     * and goes on where it stopped.
     */
    void onLoopStopping();

    /** The channel's socket now answers to another key, because its selector was rebuilt. */
    void onKeyChanged(SelectionKey key);

    /** A channel that can be asked to close at the end of a turn. */
    interface ClosableChannel extends LoopChannel {
        /** Closes and completes the future, which may be the close future; a closed channel only completes the future. */
        void onClose(ChannelFuture future);
    }
}
