package org.freshet.handler.codec.rtsp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** A camera and a viewer over real sockets: with Netty 3 on either side, and with frames between the messages. */
class RtspInteropTest {
    private static final String URI = "rtsp://camera/1";
    private static final String SDP = "v=0\r\nm=video 0 RTP/AVP 96\r\n";
    private static final int DEADLINE_SECONDS = 30;

    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

    private Object next() throws InterruptedException {
        return answer(received.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    }

    private static Object answer(Object answer) {
        assertNotNull(answer, "an answer within " + DEADLINE_SECONDS + " s");
        return answer;
    }

    private final class Receiving extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.add(e.getMessage());
        }
    }

    /** Answers DESCRIBE with a description, PLAY with two frames after the answer, and a frame by itself. */
    private static final class Camera extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof RtspInterleavedFrame) {
                e.getChannel().write(e.getMessage());
                return;
            }
            HttpRequest request = (HttpRequest) e.getMessage();
            HttpResponse response = new DefaultHttpResponse(RtspVersions.RTSP_1_0, RtspResponseStatuses.OK);
            response.headers()
                    .set(RtspHeaders.Names.CSEQ, (Object) request.headers().get(RtspHeaders.Names.CSEQ));
            if (request.getMethod().equals(RtspMethods.DESCRIBE)) {
                response.headers().set(RtspHeaders.Names.CONTENT_LENGTH, SDP.length());
                response.setContent(ChannelBuffers.copiedBuffer(SDP, US_ASCII));
            }
            e.getChannel().write(response);
            if (request.getMethod().equals(RtspMethods.PLAY)) {
                e.getChannel().write(new RtspInterleavedFrame(0, ChannelBuffers.copiedBuffer("one", US_ASCII)));
                e.getChannel().write(new RtspInterleavedFrame(1, ChannelBuffers.copiedBuffer("two", US_ASCII)));
            }
        }
    }

    private interface Conversation {
        void with(InetSocketAddress server) throws Exception;
    }

    private static void withCamera(Conversation conversation) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new RtspRequestDecoder(HttpLimits.defaults(), true), new RtspResponseEncoder(), new Camera()));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            conversation.with((InetSocketAddress) server.getLocalAddress());
        } finally {
            server.close().awaitUninterruptibly();
            bootstrap.releaseExternalResources();
        }
    }

    private void withViewer(InetSocketAddress server, boolean interleaved, ViewerConversation conversation)
            throws Exception {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new RtspResponseDecoder(HttpLimits.defaults(), interleaved),
                new RtspRequestEncoder(),
                new Receiving()));
        ChannelFuture connect = bootstrap.connect(server).awaitUninterruptibly();
        assertNull(connect.getCause());
        Channel viewer = connect.getChannel();
        try {
            conversation.with(viewer);
        } finally {
            viewer.close().awaitUninterruptibly();
            bootstrap.releaseExternalResources();
        }
    }

    private interface ViewerConversation {
        void with(Channel viewer) throws Exception;
    }

    private static HttpRequest request(org.freshet.handler.codec.http.HttpMethod method, int sequence) {
        HttpRequest request = new DefaultHttpRequest(RtspVersions.RTSP_1_0, method, URI);
        request.headers().set(RtspHeaders.Names.CSEQ, sequence);
        return request;
    }

    private static void assertDescription(String sequence, String status, String content) {
        assertEquals("1 200 OK " + SDP, sequence + " " + status + " " + content);
    }

    @Test
    void shouldStreamFramesBetweenMessages() throws Exception {
        withCamera(server -> withViewer(server, true, viewer -> {
            viewer.write(request(RtspMethods.DESCRIBE, 1));
            viewer.write(request(RtspMethods.PLAY, 2));
            HttpResponse description = (HttpResponse) next();
            assertDescription(
                    description.headers().get(RtspHeaders.Names.CSEQ),
                    description.getStatus().toString(),
                    description.getContent().toString(US_ASCII));
            assertEquals("2", ((HttpResponse) next()).headers().get(RtspHeaders.Names.CSEQ));
            for (String content : new String[] {"one", "two"}) {
                assertEquals(content, ((RtspInterleavedFrame) next()).content().toString(US_ASCII));
            }
            viewer.write(new RtspInterleavedFrame(7, ChannelBuffers.EMPTY_BUFFER));
            assertEquals(7, ((RtspInterleavedFrame) next()).channel());
        }));
    }

    @Test
    void shouldTalkToANetty3Viewer() throws Exception {
        withCamera(server -> {
            var bootstrap = new org.jboss.netty.bootstrap.ClientBootstrap(
                    new org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory(
                            Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1, 1));
            bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                    new org.jboss.netty.handler.codec.rtsp.RtspResponseDecoder(),
                    new org.jboss.netty.handler.codec.rtsp.RtspRequestEncoder(),
                    new org.jboss.netty.channel.SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(
                                org.jboss.netty.channel.ChannelHandlerContext ctx,
                                org.jboss.netty.channel.MessageEvent e) {
                            received.add(e.getMessage());
                        }
                    }));
            var viewer = bootstrap.connect(server).awaitUninterruptibly().getChannel();
            try {
                var request = new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                        org.jboss.netty.handler.codec.rtsp.RtspVersions.RTSP_1_0,
                        org.jboss.netty.handler.codec.rtsp.RtspMethods.DESCRIBE,
                        URI);
                request.headers().set("CSeq", 1);
                viewer.write(request);
                var response = (org.jboss.netty.handler.codec.http.HttpResponse) next();
                assertDescription(
                        response.headers().get("CSeq"),
                        response.getStatus().toString(),
                        response.getContent().toString(US_ASCII));
            } finally {
                viewer.close().awaitUninterruptibly();
                bootstrap.releaseExternalResources();
            }
        });
    }

    @Test
    void shouldTalkToANetty3Camera() throws Exception {
        var bootstrap = new org.jboss.netty.bootstrap.ServerBootstrap(
                new org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory(
                        Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), 1));
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.rtsp.RtspRequestDecoder(),
                new org.jboss.netty.handler.codec.rtsp.RtspResponseEncoder(),
                new TheirCamera()));
        var server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            withViewer((InetSocketAddress) server.getLocalAddress(), false, viewer -> {
                viewer.write(request(RtspMethods.DESCRIBE, 1));
                HttpResponse description = (HttpResponse) next();
                assertDescription(
                        description.headers().get(RtspHeaders.Names.CSEQ),
                        description.getStatus().toString(),
                        description.getContent().toString(US_ASCII));
            });
        } finally {
            server.close().awaitUninterruptibly();
            bootstrap.releaseExternalResources();
        }
    }

    private static final class TheirCamera extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            var request = (org.jboss.netty.handler.codec.http.HttpRequest) e.getMessage();
            var response = new org.jboss.netty.handler.codec.http.DefaultHttpResponse(
                    org.jboss.netty.handler.codec.rtsp.RtspVersions.RTSP_1_0,
                    org.jboss.netty.handler.codec.rtsp.RtspResponseStatuses.OK);
            response.headers().set("CSeq", request.headers().get("CSeq"));
            response.headers().set("Content-Length", SDP.length());
            response.setContent(org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(SDP, US_ASCII));
            e.getChannel().write(response);
        }
    }
}
