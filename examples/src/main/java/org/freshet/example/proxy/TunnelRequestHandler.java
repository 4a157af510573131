package org.freshet.example.proxy;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Handles a client's request for a tunnel, in one of the protocols, and answers it; then a {@link RelayHandler} takes
 * its place. Between the request and the answer, nothing is read from the client. Bytes that it sent after the request
 * are kept: at most one read.
 */
abstract class TunnelRequestHandler extends SimpleChannelUpstreamHandler {
    private final TunnelConnector connector;
    private final List<ChannelBuffer> early = new ArrayList<>();

    TunnelRequestHandler(TunnelConnector connector) {
        this.connector = connector;
    }

    /** Handles a message of the protocol. */
    abstract void onRequest(ChannelHandlerContext ctx, Object request);

    /** Notifies the client that the tunnel is open; {@code address} is the proxy's own, on the target's side. */
    abstract void grant(ChannelHandlerContext ctx, InetSocketAddress address);

    /** Notifies the client that there is no tunnel, and closes. */
    abstract void refuse(ChannelHandlerContext ctx, Refusal why);

    /** Removes the handlers that the tunnel does not need. */
    void endProtocol(ChannelPipeline pipeline) {}

    @Override
    public final void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof ChannelBuffer behindTheRequest) {
            early.add(behindTheRequest);
        } else {
            onRequest(ctx, e.getMessage());
        }
    }

    final void connect(ChannelHandlerContext ctx, String host, int port) {
        Channel front = ctx.getChannel();
        front.setReadable(false);
        connector
                .connect(front, host, port)
                .whenComplete((back, failure) -> ctx.getPipeline().execute(() -> {
                    if (failure != null) {
                        refuse(ctx, Refusal.of(failure));
                    } else if (front.isConnected()) {
                        open(ctx, back);
                    } else {
                        back.close();
                    }
                }));
    }

    /** On the client's I/O thread. */
    private void open(ChannelHandlerContext ctx, Channel back) {
        grant(ctx, (InetSocketAddress) back.getLocalAddress());
        ChannelPipeline pipeline = ctx.getPipeline();
        pipeline.remove("timeout");
        pipeline.replace(this, "relay", connector.relayTo(back));
        early.forEach(back::write);
        endProtocol(pipeline);
        ctx.getChannel().setReadable(true);
        back.setReadable(true);
    }

    /** Sends the last message to the client, then closes. */
    static void answerAndClose(ChannelHandlerContext ctx, Object answer) {
        ctx.getChannel().write(answer).addListener(ChannelFutureListener.CLOSE);
    }

    /** A client that ends its output before it has a tunnel has given up. */
    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
        e.getChannel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        e.getChannel().close(); // invalid input, idle for too long, or a broken connection
    }
}
