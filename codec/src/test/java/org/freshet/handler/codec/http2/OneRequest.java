package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;

/** Sends a server the only request of a connection over a socket, for tests in which several threads use its stream. */
final class OneRequest {
    interface Checks {
        void run() throws Exception;
    }

    private OneRequest() {}

    /**
     * @param handler the only handler of the request's stream
     * @param checks run while the connection is open
     */
    static void send(ChannelHandler handler, Checks checks) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        try {
            bootstrap.setPipelineFactory(
                    () -> Channels.pipeline(new Http2ServerHandler(() -> Channels.pipeline(handler))));
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                FramePeer frames = new FramePeer(new SimpleChannelHandler());
                client.getOutputStream().write(Http2ServerHandler.PREFACE);
                client.getOutputStream().write(frame(SETTINGS, 0, 0));
                client.getOutputStream().write(frames.get(1, "/"));
                checks.run();
            } finally {
                server.close().awaitUninterruptibly();
            }
        } finally {
            bootstrap.releaseExternalResources();
        }
    }
}
