package org.freshet.example.soak;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.CloseWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator;

/** Text and binary messages come back; then the closing handshake. */
final class WebSocketVisit implements Visit {
    private static final int MAX_MESSAGES = 10;
    private static final int MAX_BYTES = 30_000;

    @Override
    public void pay(Guest guest) throws ClosedEarlyException, WrongException, InterruptedException {
        URI uri =
                URI.create("ws://localhost:" + guest.address(Service.WEB_SOCKET).getPort() + "/echo");
        WebSocketClientProtocolHandler webSocket = new WebSocketClientProtocolHandler(
                WebSocketClientConfig.builder(uri).build());
        try (Connection connection = Connection.open(
                guest, Service.WEB_SOCKET, new HttpClientCodec(), webSocket, new WebSocketFrameAggregator(MAX_BYTES))) {
            connection.await(webSocket.handshakeFuture(), "the handshake");
            for (int i = guest.upTo(MAX_MESSAGES); i > 0; i--) {
                exchange(guest, connection);
            }
            connection.write(new CloseWebSocketFrame(1000, "done"));
            connection.await(connection.channel().getCloseFuture(), "the closing handshake");
        }
    }

    private static void exchange(Guest guest, Connection connection)
            throws ClosedEarlyException, WrongException, InterruptedException {
        String text = Guest.text(guest.random().nextInt(), guest.upTo(MAX_BYTES));
        boolean isText = guest.random().nextBoolean();
        connection.write(
                isText
                        ? new TextWebSocketFrame(text)
                        : new BinaryWebSocketFrame(ChannelBuffers.copiedBuffer(text, StandardCharsets.US_ASCII)));
        WebSocketFrame frame = (WebSocketFrame) connection.next();
        if (frame instanceof CloseWebSocketFrame close) {
            throw new ClosedEarlyException("a close frame with code " + close.getStatusCode(), null);
        }
        if (frame instanceof TextWebSocketFrame != isText
                || !frame.getBinaryData().toString(StandardCharsets.US_ASCII).equals(text)) {
            throw new WrongException("a different message came back: " + frame);
        }
        guest.ledger().onExchange();
    }
}
