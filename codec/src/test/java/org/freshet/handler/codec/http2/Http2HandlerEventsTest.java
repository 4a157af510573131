package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Events that a connection's handler has no part in, and those of a handler that was added to a channel without a connection. */
class Http2HandlerEventsTest {
    private final StreamLog log = new StreamLog();

    /** Of another handler, for one further down. */
    private record Custom(Channel getChannel, ChannelFuture getFuture) implements ChannelEvent {}

    private static String explained(Channel channel) {
        return Await.result(Explain.channel(channel), "the explanation");
    }

    @Test
    void shouldPassOnRequestsThatItDoesNotKnow() {
        List<ChannelEvent> requests = new ArrayList<>();
        ChannelDownstreamHandler below = (ctx, e) -> {
            if (e instanceof Custom) {
                requests.add(e);
            } else {
                ctx.sendDownstream(e);
            }
        };
        MemoryChannel channel = MemoryChannel.connected(below, new Http2ClientHandler());
        Custom custom = new Custom(channel, Channels.future(channel));
        channel.getPipeline().sendDownstream(custom);
        assertEquals(List.of(custom), requests);
        assertTrue(channel.isOpen());
    }

    /** Before its first event, it has no connection. */
    @Test
    void shouldPassOnRequestsBeforeThereIsAConnection() {
        MemoryChannel channel = MemoryChannel.open();
        channel.getPipeline().addFirst("http2", new Http2ServerHandler(log::pipeline));
        String explained = explained(channel);
        assertFalse(explained.contains("streams") || explained.contains("failed"), explained);
        assertTrue(channel.setReadable(false).isSuccess());
        assertFalse(channel.isReadable());
        MemoryChannel other = MemoryChannel.open();
        other.getPipeline().addFirst("http2", new Http2ServerHandler(log::pipeline));
        assertTrue(other.close().isSuccess());
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(List.of(), other.takeCaught());
    }

    /** Only a server refuses requests. */
    @Test
    void shouldExplainWhatItsSideHas() {
        FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline));
        client.send(client.get(1, "/"));
        String ofServer = explained(client.channel);
        assertTrue(ofServer.contains("streams: 1\n"), ofServer);
        assertTrue(ofServer.contains("requests refused before a handler got them: 0\n"), ofServer);
        FramePeer server = FramePeer.server(new Http2ClientHandler());
        String ofClient = explained(server.channel);
        assertTrue(ofClient.contains("streams: 0\n"), ofClient);
        assertFalse(ofClient.contains("refused"), ofClient);
    }
}
