package org.freshet.example.rtspsnoop;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.rtsp.RtspHeaders;
import org.freshet.handler.codec.rtsp.RtspInterleavedFrame;
import org.freshet.handler.codec.rtsp.RtspMethods;
import org.freshet.handler.codec.rtsp.RtspRequestEncoder;
import org.freshet.handler.codec.rtsp.RtspResponseDecoder;
import org.freshet.handler.codec.rtsp.RtspVersions;

/** Asks a camera for its pictures, and prints the conversation. Belongs to one thread, which waits for the answers. */
final class Viewer implements AutoCloseable {
    private static final String URL = "rtsp://camera/garden";
    private static final int MAX_WAIT_SECONDS = 10;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());

    /** Responses and frames, in order. */
    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

    private final Channel channel;
    private int requests;

    Viewer(SocketAddress camera) throws InterruptedException {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new RtspResponseDecoder(HttpLimits.defaults(), true), new RtspRequestEncoder(), new Receiver()));
        ChannelFuture connected = bootstrap.connect(camera).await();
        if (!connected.isSuccess()) {
            bootstrap.releaseExternalResources();
            throw new IllegalStateException("cannot connect to " + camera, connected.getCause());
        }
        channel = connected.getChannel();
    }

    /** Returns whether everything requested arrived. */
    boolean watch() throws InterruptedException {
        return ask(RtspMethods.PLAY, "", "").equals("454") // not set up yet
                && ask(RtspMethods.OPTIONS, "", "").equals("200")
                && ask(RtspMethods.DESCRIBE, RtspHeaders.Names.ACCEPT, "application/sdp")
                        .equals("200")
                && ask(RtspMethods.SETUP, RtspHeaders.Names.TRANSPORT, "RTP/AVP/TCP;unicast;interleaved=0-1")
                        .equals("200")
                && ask(RtspMethods.PLAY, RtspHeaders.Names.RANGE, "npt=0-").equals("200")
                && receivePackets()
                && ask(RtspMethods.TEARDOWN, "", "").equals("200");
    }

    /** Returns the status of the answer, or a description of what arrived instead. */
    private String ask(HttpMethod method, String header, String value) throws InterruptedException {
        HttpRequest request = new DefaultHttpRequest(RtspVersions.RTSP_1_0, method, URL);
        String number = Integer.toString(++requests);
        request.headers().set(RtspHeaders.Names.CSEQ, number);
        if (!header.isEmpty()) {
            request.headers().set(header, value);
        }
        System.out.println("> " + method + " " + URL + (header.isEmpty() ? "" : " with " + header + ": " + value));
        channel.write(request);
        if (!(next() instanceof HttpResponse response)) {
            return "no answer";
        }
        print(response);
        boolean ours = number.equals(response.headers().get(RtspHeaders.Names.CSEQ));
        return ours ? Integer.toString(response.getStatus().getCode()) : "the answer to another request";
    }

    private static void print(HttpResponse response) {
        System.out.println("< " + response.getStatus());
        for (Map.Entry<String, String> header : response.headers()) {
            System.out.println("<   " + header.getKey() + ": " + header.getValue());
        }
        if (HttpHeaders.getContentLength(response, 0) > 0) {
            String content = response.getContent().toString(StandardCharsets.UTF_8);
            content.lines().forEach(line -> System.out.println("<     " + line));
        }
    }

    private boolean receivePackets() throws InterruptedException {
        for (int number = 1; number <= CameraHandler.PACKETS; number++) {
            if (!(next() instanceof RtspInterleavedFrame frame)) {
                return false;
            }
            ChannelBuffer packet = frame.content();
            int sequence = packet.getUnsignedShort(packet.readerIndex() + 2);
            packet.skipBytes(CameraHandler.RTP_HEADER_LENGTH);
            String picture = packet.toString(StandardCharsets.UTF_8);
            System.out.println("< $ channel " + frame.channel() + ", packet " + sequence + ": " + picture);
            if (sequence != number || !picture.equals("picture " + number)) {
                return false;
            }
        }
        return true;
    }

    private Object next() throws InterruptedException {
        return received.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources(); // closes the connection, too
    }

    private final class Receiver extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.err.println("connection failed: " + e.getCause());
            e.getChannel().close();
        }
    }
}
