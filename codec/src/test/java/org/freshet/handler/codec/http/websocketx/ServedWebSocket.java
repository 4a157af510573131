package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;

/** A WebSocket server on an in-memory channel. */
abstract class ServedWebSocket {
    final FakeTimer timer = new FakeTimer();

    /** The notifications, in order. */
    static final class Log extends WebSocketHandler {
        final List<String> lines = new ArrayList<>();

        @Override
        public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
            lines.add("opened " + ((HttpRequest) e.getHttpMessage()).getUri() + " " + e.getSubprotocol());
            ctx.getChannel().write(new TextWebSocketFrame("welcome"));
        }

        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            lines.add(Frames.describe(frame));
        }
    }

    final Log log = new Log();

    WebSocketServerConfig.Builder config() {
        return WebSocketServerConfig.builder("/chat").timer(timer);
    }

    MemoryChannel channel(WebSocketServerConfig.Builder config) {
        return Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config.build()), log);
    }

    /** A channel after the handshake, with its output so far removed. */
    MemoryChannel open(WebSocketServerConfig.Builder config) {
        MemoryChannel channel = channel(config);
        channel.receive(bytes(request()));
        takeSent(channel);
        return channel;
    }

    static void receive(MemoryChannel channel, byte[] bytes) {
        channel.receive(ChannelBuffers.wrappedBuffer(bytes));
    }

    static List<String> sent(MemoryChannel channel) {
        return Frames.describe(channel.takeWritten());
    }
}
