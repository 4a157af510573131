package org.freshet.example.rtspsnoop;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.rtsp.RtspHeaders;
import org.freshet.handler.codec.rtsp.RtspInterleavedFrame;
import org.freshet.handler.codec.rtsp.RtspMethods;
import org.freshet.handler.codec.rtsp.RtspResponseStatuses;
import org.freshet.handler.codec.rtsp.RtspVersions;

/**
 * A camera: describes its pictures, and sends them over the connection of the request (RFC 2326 10.12). Each packet is
 * sent after the previous one has left, so a slow viewer slows it down and never makes it keep packets.
 */
final class CameraHandler extends SimpleChannelUpstreamHandler {
    static final int PACKETS = 5;
    static final int RTP_HEADER_LENGTH = 12;

    private static final int PAYLOAD_TYPE = 96;
    private static final int SSRC = 0x46524553;
    private static final String SESSION = "20261122";
    private static final String DESCRIPTION = String.join(
            "\r\n",
            "v=0",
            "o=- 1 1 IN IP4 127.0.0.1",
            "s=a camera",
            "t=0 0",
            "m=video 0 RTP/AVP 96",
            "a=control:1",
            "");

    /** The channel for packets; the next one is for reports. */
    private static final int STREAM = 0;

    private boolean ready;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof RtspInterleavedFrame) {
            return; // the viewer's reports on the stream
        }
        HttpRequest request = (HttpRequest) e.getMessage();
        HttpMethod method = request.getMethod();
        HttpResponse response = newResponse(request, RtspResponseStatuses.OK);
        if (method.equals(RtspMethods.OPTIONS)) {
            response.headers().set(RtspHeaders.Names.PUBLIC, "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN");
        } else if (method.equals(RtspMethods.DESCRIBE)) {
            ChannelBuffer content = ChannelBuffers.copiedBuffer(DESCRIPTION, StandardCharsets.UTF_8);
            response.headers().set(RtspHeaders.Names.CONTENT_TYPE, "application/sdp");
            response.headers().set(RtspHeaders.Names.CONTENT_LENGTH, content.readableBytes());
            response.setContent(content);
        } else if (method.equals(RtspMethods.SETUP)) {
            response = setUp(request, response);
        } else if (method.equals(RtspMethods.PLAY) && ready) {
            response.headers().set(RtspHeaders.Names.SESSION, SESSION);
            response.headers().set(RtspHeaders.Names.RTP_INFO, "url=" + request.getUri() + "/1;seq=1");
            e.getChannel().write(response);
            sendPacket(e.getChannel(), 1);
            return;
        } else if (method.equals(RtspMethods.TEARDOWN) && ready) {
            ready = false;
        } else {
            response.setStatus(
                    method.equals(RtspMethods.PLAY) || method.equals(RtspMethods.TEARDOWN)
                            ? RtspResponseStatuses.SESSION_NOT_FOUND
                            : RtspResponseStatuses.METHOD_NOT_ALLOWED);
        }
        e.getChannel().write(response);
    }

    /** Gives the answer the number of its request. */
    private static HttpResponse newResponse(HttpRequest request, HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(RtspVersions.RTSP_1_0, status);
        String number = request.headers().get(RtspHeaders.Names.CSEQ);
        if (number == null) {
            response.setStatus(RtspResponseStatuses.BAD_REQUEST);
        } else {
            response.headers().set(RtspHeaders.Names.CSEQ, number);
        }
        return response;
    }

    private HttpResponse setUp(HttpRequest request, HttpResponse response) {
        String transport = request.headers().get(RtspHeaders.Names.TRANSPORT);
        if (transport == null || !transport.startsWith("RTP/AVP/TCP")) {
            return newResponse(request, RtspResponseStatuses.UNSUPPORTED_TRANSPORT);
        }
        ready = true;
        response.headers().set(RtspHeaders.Names.SESSION, SESSION);
        String interleaved = "interleaved=" + STREAM + "-" + (STREAM + 1);
        response.headers().set(RtspHeaders.Names.TRANSPORT, "RTP/AVP/TCP;unicast;" + interleaved);
        return response;
    }

    private static void sendPacket(Channel channel, int number) {
        ChannelBuffer packet = ChannelBuffers.dynamicBuffer();
        packet.writeByte(2 << 6); // version 2 of RTP
        packet.writeByte(PAYLOAD_TYPE);
        packet.writeShort(number);
        packet.writeInt(number * 3000);
        packet.writeInt(SSRC);
        packet.writeBytes(("picture " + number).getBytes(StandardCharsets.UTF_8));
        ChannelFuture sent = channel.write(new RtspInterleavedFrame(STREAM, packet));
        if (number < PACKETS) {
            sent.addListener(future -> {
                if (future.isSuccess()) {
                    sendPacket(channel, number + 1);
                }
            });
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (!(e.getCause() instanceof HttpFailure)) {
            System.err.println(e.getChannel() + ": " + e.getCause());
            e.getChannel().close();
            return;
        }
        HttpResponseStatus status = ((HttpFailure) e.getCause()).suggestedStatus();
        e.getChannel()
                .write(new DefaultHttpResponse(RtspVersions.RTSP_1_0, status))
                .addListener(ChannelFutureListener.CLOSE);
    }
}
