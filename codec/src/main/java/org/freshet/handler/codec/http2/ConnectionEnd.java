package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.internal.handler.LingeringEnd;

/**
 * Closes the channel of a connection so that the peer gets the last writes. A client closes once these are sent. A server
 * closes when the client does, or two seconds later. If the channel is being drained, the two seconds begin once everything is
 * sent.
 *
 * <p>Belongs to its connection's thread, unless stated otherwise.
 */
final class ConnectionEnd {
    private final Connection connection;
    private final ChannelHandlerContext ctx;
    private final ConnectionDeadlines deadlines;
    private final Drain drain;

    /** Null unless a server has ended its output and waits for the client to close. Any thread may read it. */
    private volatile LingeringEnd linger;

    ConnectionEnd(Connection connection, ChannelHandlerContext ctx, ConnectionDeadlines deadlines, Drain drain) {
        this.connection = connection;
        this.ctx = ctx;
        this.deadlines = deadlines;
        this.drain = drain;
    }

    /** Drops what has arrived if the output has ended. Returns false if it hasn't. */
    boolean drop(ChannelBuffer in) {
        if (linger == null) {
            return false;
        }
        linger.drop(ctx, in);
        return true;
    }

    /** Whether the rest of the input is dropped, so the end decides whether to read. Any thread. */
    boolean isDropping() {
        return linger != null;
    }

    /** If that fails, for example for lack of memory, closes right away: no deadline is left that would do it later. */
    void closeAfterWrites() {
        try {
            begin();
        } catch (Throwable t) {
            closeNow();
            throw t;
        }
    }

    private void begin() {
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
        linger = new LingeringEnd();
        Channels.noteCloseReason(
                channel, drain.isOfChannel() ? CloseReason.of(CloseReason.Kind.DRAINED) : CloseReason.LOCAL);
        linger.begin(ctx, end -> {
            if (!end.isSuccess()) {
                closeNow();
            }
        });
    }

    /** The peer has ended its output. A client gets no more answers then, so its streams have ended, too. */
    void onInputEnd() {
        if (!connection.isServer()) {
            Channels.close(ctx, Channels.future(ctx.getChannel()), CloseReason.PEER_CLOSED);
        } else if (linger != null) {
            closeNow();
        }
    }

    void closeNow() {
        Channels.close(ctx, Channels.future(ctx.getChannel()));
    }
}
