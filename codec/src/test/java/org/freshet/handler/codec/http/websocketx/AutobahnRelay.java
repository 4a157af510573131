package org.freshet.handler.codec.http.websocketx;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.BiConsumer;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.testing.Await;

/**
 * Lets Autobahn|Testsuite, which uses HTTP/1.1, test WebSocket over HTTP/2 (RFC 8441). It translates the handshake and
 * passes all later bytes on unchanged, even if they are wrong. The suite therefore sees the frames of the tested
 * program itself, in both directions.
 *
 * <p>The I/O thread that received a handshake passes it on, along with everything that follows.
 */
final class AutobahnRelay implements AutoCloseable {
    /** The suite's server closes its connection when a case is over, and limits how many bytes it reads at a time. */
    private static final Http2Settings SETTINGS =
            Http2Settings.defaults().toBuilder().webSocket(true).build();

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());

    /** Lets the suite's client connect to an HTTP/2 server. Returns the address for the suite. */
    InetSocketAddress toHttp2(SocketAddress testee) {
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Http2ClientConnection connection =
                Http2ClientConnection.of(Await.success(client.connect(testee), "a connection to the testee")
                        .getChannel());
        BiConsumer<Channel, HttpRequest> forward = (accepted, request) -> connection
                .open(Channels.pipeline(new Half(accepted)))
                .addListener(opened -> begin(accepted, opened.getChannel(), opened.isSuccess(), request));
        server.setPipelineFactory(() -> Channels.pipeline(new HttpServerCodec(), new Accepted(forward)));
        return bind();
    }

    /** Lets an HTTP/2 client connect to the suite's server. Returns the address for the client. */
    InetSocketAddress toHttp1(SocketAddress suite) {
        BiConsumer<Channel, HttpRequest> forward = (stream, request) -> {
            ChannelPipeline pipeline = Channels.pipeline(new HttpClientCodec(), new Half(stream));
            ClientBootstrap one = new ClientBootstrap(client.getFactory());
            one.setPipeline(pipeline);
            one.connect(suite).addListener(opened -> begin(stream, opened.getChannel(), opened.isSuccess(), request));
        };
        server.setPipelineFactory(() ->
                Channels.pipeline(new Http2ServerHandler(() -> Channels.pipeline(new Accepted(forward)), SETTINGS)));
        return bind();
    }

    private InetSocketAddress bind() {
        return (InetSocketAddress) server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
    }

    private static void begin(Channel accepted, Channel opened, boolean isOpen, HttpRequest request) {
        if (!isOpen) {
            accepted.close();
            return;
        }
        accepted.getPipeline().get(Accepted.class).peer = opened;
        opened.write(request);
    }

    @Override
    public void close() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    /** Passes on what it receives, followed by the end. */
    private static class Half extends SimpleChannelUpstreamHandler {
        /** Null until it is known. */
        volatile Channel peer;

        Half(Channel peer) {
            this.peer = peer;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            peer.write(e.getMessage());
            ChannelPipeline pipeline = ctx.getPipeline();
            if (pipeline.get(HttpClientCodec.class) != null) {
                pipeline.remove(HttpClientCodec.class); // the response to the handshake; only bytes follow
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (peer != null) {
                peer.write(ChannelBuffers.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        }

        /** The peer has become unwritable or writable. */
        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (peer != null) {
                peer.setReadable(e.getChannel().isWritable());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            ctx.getChannel().close();
        }
    }

    /** The half that begins with a request. */
    private static final class Accepted extends Half {
        private final BiConsumer<Channel, HttpRequest> forward;

        Accepted(BiConsumer<Channel, HttpRequest> forward) {
            super(null);
            this.forward = forward;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest request) {
                forward.accept(e.getChannel(), request);
            } else {
                super.messageReceived(ctx, e);
            }
        }
    }
}
