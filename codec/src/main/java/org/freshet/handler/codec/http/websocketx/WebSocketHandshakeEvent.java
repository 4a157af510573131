package org.freshet.handler.codec.http.websocketx;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpMessage;

/**
 * The handshake is done: from now on frames may be written, and are received. A protocol handler sends it up once, before the first
 * frame; {@link WebSocketHandler} has a method for it. Immutable.
 */
public final class WebSocketHandshakeEvent implements ChannelEvent {
    private final Channel channel;
    private final HttpMessage peersMessage;
    private final String subprotocol;

    WebSocketHandshakeEvent(Channel channel, HttpMessage peersMessage, String subprotocol) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.peersMessage = peersMessage;
        this.subprotocol = subprotocol;
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    /** Has succeeded. */
    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(channel);
    }

    /** The client's request, on a server; the server's response, on a client. */
    public HttpMessage getPeersMessage() {
        return peersMessage;
    }

    /** What was agreed on; null if nothing was. */
    public String getSubprotocol() {
        return subprotocol;
    }

    @Override
    public String toString() {
        return channel + " WEBSOCKET" + (subprotocol == null ? "" : " " + subprotocol);
    }
}
