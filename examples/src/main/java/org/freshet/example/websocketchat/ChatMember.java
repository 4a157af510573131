package org.freshet.example.websocketchat;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;
import org.freshet.handler.codec.http.websocketx.CloseWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketHandshakeEvent;

/**
 * A browser: gets the page, then joins the chat. Each message goes to all members as one frame, encoded once.
 *
 * <p>A member that does not read is disconnected as soon as its channel is not writable, so it delays no other member
 * and takes no memory.
 */
final class ChatMember extends WebSocketHandler {
    private static final int MAX_NAME_LENGTH = 20;
    private static final int POLICY_VIOLATION = 1008;
    private static final int TRY_AGAIN_LATER = 1013;

    private final ChannelGroup members;
    private final byte[] page;
    private String name;

    ChatMember(ChannelGroup members, byte[] page) {
        this.members = members;
        this.page = page;
    }

    // ---- the chat ----

    @Override
    public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
        String asked;
        try {
            asked = nameIn((HttpRequest) e.getHttpMessage());
        } catch (IllegalArgumentException malformed) { // too late for a 400
            e.getChannel()
                    .write(new CloseWebSocketFrame(POLICY_VIOLATION, "malformed query"))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        name = asked.isEmpty() ? "anonymous" : asked.substring(0, Math.min(asked.length(), MAX_NAME_LENGTH));
        members.add(e.getChannel());
        say(name + " is here");
    }

    private static String nameIn(HttpRequest request) {
        return new QueryStringDecoder(request.getUri())
                .getParameters()
                .getOrDefault("name", List.of(""))
                .get(0)
                .strip();
    }

    @Override
    public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (name != null
                && frame instanceof TextWebSocketFrame text
                && !text.getText().isBlank()) {
            say(name + ": " + text.getText());
        }
    }

    private void say(String text) {
        members.write(new TextWebSocketFrame(text));
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (name != null && !e.getChannel().isWritable() && members.remove(e.getChannel())) {
            e.getChannel()
                    .write(new CloseWebSocketFrame(TRY_AGAIN_LATER, "too slow"))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (name != null) {
            members.remove(e.getChannel());
            say(name + " is gone");
        }
    }

    // ---- the page ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (!(e.getMessage() instanceof HttpRequest request)) {
            return; // unexpected content
        }
        boolean found = request.getMethod().equals(HttpMethod.GET)
                && new QueryStringDecoder(request.getUri()).rawPath().equals("/");
        HttpResponse response = new DefaultHttpResponse(
                HttpVersion.HTTP_1_1, found ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND);
        byte[] content = found ? page : new byte[0];
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/html; charset=UTF-8");
        HttpHeaders.setContentLength(response, content.length);
        response.setContent(ChannelBuffers.wrappedBuffer(content));
        ChannelFuture written = e.getChannel().write(response);
        if (!HttpHeaders.isKeepAlive(request)) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        e.getChannel().close(); // browsers may leave at any time
    }
}
