package org.freshet.example.proxy;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Passes everything one channel receives to its peer, and stops reading while the peer does not take it.
 *
 * <p>The two channels may have different I/O threads. So the peer may become writable between the check and the
 * suspension of reading; the second check, after the suspension, sees that. If the peer becomes writable later, its own
 * handler resumes reading. So no lock is needed, and reading is never suspended forever.
 */
class RelayHandler extends SimpleChannelUpstreamHandler {
    private final ProxyLoad load;

    /** Set before either channel has anything to relay. */
    private Channel peer;

    RelayHandler(Channel peer, ProxyLoad load) {
        this.peer = peer;
        this.load = load;
    }

    final void setPeer(Channel peer) {
        this.peer = peer;
    }

    /** A channel that connects is the outgoing side; from now on, data for it can be read. */
    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        peer.setReadable(true);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        int bytes = ((ChannelBuffer) e.getMessage()).readableBytes();
        load.received(bytes);
        peer.write(e.getMessage()).addListener(written -> load.passed(bytes));
        if (!peer.isWritable()) {
            load.suspended();
            e.getChannel().setReadable(false);
            if (peer.isWritable()) {
                e.getChannel().setReadable(true);
            }
        }
    }

    /** This channel is writable again: its peer may be read from. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (e.getChannel().isConnected() && e.getChannel().isWritable()) {
            peer.setReadable(true);
        }
    }

    /** If the channel allows half-closing, the peer can still answer. */
    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
        Channels.shutdownOutput(peer);
    }

    /** The empty buffer is sent after everything before it. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (peer != null) {
            peer.write(ChannelBuffers.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
