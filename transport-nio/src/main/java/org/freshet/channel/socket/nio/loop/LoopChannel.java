package org.freshet.channel.socket.nio.loop;

import java.nio.channels.SelectionKey;
import org.freshet.channel.ChannelFuture;

/** The operations a loop needs on the channels and connect attempts that it drives. All methods run on the loop. */
public interface LoopChannel {
    /**
     * Called when something threw while the loop worked on this channel. Reports the failure and requests a close,
     * except that a server stays open. May throw when memory is exhausted; the loop then calls
     * {@link #onLoopStopping()} if the channel {@linkplain #closesOnFailure() closes on failure}.
     */
    void onFailed(Throwable cause);

    /**
     * Whether the loop closes this channel if {@link #onFailed} throws or would not have memory. False for a bound server:
     * peers that connect while the heap is full must not end it.
     */
    default boolean closesOnFailure() {
        return true;
    }

    /**
     * Closes immediately, fails all pending requests and fires the closing events. If it throws because memory is
     * exhausted, it is called again and continues where it stopped.
     */
    void onLoopStopping();

    /** Called when the channel's socket has a new key, because its selector was rebuilt. */
    void onKeyChanged(SelectionKey key);

    /** A channel that can be closed at the end of a turn. */
    interface ClosableChannel extends LoopChannel {
        /**
         * Closes and completes the future, which may be the close future. For a closed channel, only completes the
         * future.
         */
        void onClose(ChannelFuture future);
    }
}
