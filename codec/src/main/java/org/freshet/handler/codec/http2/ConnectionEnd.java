package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.internal.handler.PendingClose;

/**
 * Closes the channel of a connection so that the peer gets the last writes. A client closes once these are sent. A server
 * closes when the client does, or two seconds later. If the channel is being drained, the two seconds begin once everything is
 * sent.
 *
 * <p>Belongs to its connection's thread.
 */
final class ConnectionEnd {
    private final Connection connection;
    private final ChannelHandlerContext ctx;
    private final ConnectionDeadlines deadlines;
    private final Drain drain;

    /** Whether a server has ended its output and waits for the client to close. */
    private boolean isOutputEnded;

    ConnectionEnd(Connection connection, ChannelHandlerContext ctx, ConnectionDeadlines deadlines, Drain drain) {
        this.connection = connection;
        this.ctx = ctx;
        this.deadlines = deadlines;
        this.drain = drain;
    }

    /** Whether output has ended, so whatever arrives has no effect. */
    boolean isOutputEnded() {
        return isOutputEnded;
    }

    void closeAfterWrites() {
        deadlines.onEnding();
        if (connection.isServer()) {
            endOutput();
            return;
        }
        ChannelFuture afterAll = Channels.future(ctx.getChannel());
        afterAll.addListener(ChannelFutureListener.CLOSE);
        Channels.write(ctx, afterAll, ChannelBuffers.EMPTY_BUFFER);
    }

    /**
     * Ends the output, and lets the client close. Frames a client sends meanwhile, such as WINDOW_UPDATE, must find the socket
     * open: otherwise a reset would discard the end of the last answers.
     */
    private void endOutput() {
        Channel channel = ctx.getChannel();
        isOutputEnded = true;
        Channels.noteCloseReason(
                channel, drain.isOfChannel() ? CloseReason.of(CloseReason.Kind.DRAINED) : CloseReason.LOCAL);
        PendingClose.endOutput(ctx, end -> {
            if (!end.isSuccess()) {
                closeNow();
            }
        });
    }

    /** The peer has ended its output. */
    void onInputEnd() {
        if (isOutputEnded) {
            closeNow();
        }
    }

    void closeNow() {
        Channels.close(ctx, Channels.future(ctx.getChannel()));
    }
}
