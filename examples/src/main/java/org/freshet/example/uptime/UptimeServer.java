package org.freshet.example.uptime;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;

/** Sends heartbeats to every client, until it hangs or is closed. */
final class UptimeServer implements AutoCloseable {
    private static final int BEAT_MILLIS = 50;

    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ChannelGroup connections = new DefaultChannelGroup("uptime");
    private volatile boolean hangs;

    UptimeServer() {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Joiner()));
        timer.newTimeout(this::beat, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    SocketAddress bind(SocketAddress address) {
        return bootstrap.bind(address).getLocalAddress();
    }

    private void beat(Timeout expired) {
        if (!hangs) {
            connections.write(ChannelBuffers.copiedBuffer(".", StandardCharsets.US_ASCII));
        }
        timer.newTimeout(this::beat, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Makes the server hang, or ends that. While it hangs, connections stay open and new ones are accepted, but nothing
     * is sent.
     */
    void setHangs(boolean hangs) {
        this.hangs = hangs;
    }

    @Override
    public void close() {
        timer.stop();
        bootstrap.releaseExternalResources();
    }

    private final class Joiner extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            connections.add(e.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }
}
