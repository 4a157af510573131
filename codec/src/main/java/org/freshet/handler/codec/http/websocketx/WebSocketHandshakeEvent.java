package org.freshet.handler.codec.http.websocketx;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpMessage;

/**
 * Reports that the handshake is done: frames may be written, and will be received. The protocol handler sends it up once,
 * before the first frame; {@link WebSocketHandler} has a method for it. Immutable.
 */
public final class WebSocketHandshakeEvent implements ChannelEvent {
    private final Channel channel;
    private final HttpMessage httpMessage;
    private final String subprotocol;

    WebSocketHandshakeEvent(Channel channel, HttpMessage httpMessage, String subprotocol) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.httpMessage = httpMessage;
        this.subprotocol = subprotocol;
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    /** Always already successful. */
    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(channel);
    }

    /** On a server the client's request, on a client the server's response. */
    public HttpMessage getHttpMessage() {
        return httpMessage;
    }

    /** The negotiated sub-protocol, or null. */
    public String getSubprotocol() {
        return subprotocol;
    }

    @Override
    public String toString() {
        return channel + " WEBSOCKET" + (subprotocol == null ? "" : " " + subprotocol);
    }
}
