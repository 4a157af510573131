package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A handler that chooses the HTTP version is removed before it could. */
class RemovedChooserTest {
    private static CompletionException failure(CompletableFuture<Channel> opened) {
        assertTrue(opened.isDone(), "the channel for a request is neither there nor refused");
        return assertThrows(CompletionException.class, opened::join);
    }

    private static List<ChannelState> states(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .filter(ChannelStateEvent.class::isInstance)
                .map(e -> ((ChannelStateEvent) e).getState())
                .toList();
    }

    @Test
    void shouldFailAClientsRequestsAndPassOnTheEventsBefore() {
        HttpClientChooser chooser = new HttpClientChooser(Channels::pipeline);
        MemoryChannel channel = MemoryChannel.open(chooser);
        CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();
        channel.takeUpstream();
        channel.getPipeline().remove(chooser);
        assertInstanceOf(IllegalStateException.class, failure(opened).getCause());
        assertEquals(List.of(ChannelState.OPEN), states(channel));
    }

    @Test
    @Tag("crypto")
    void shouldFailAClientsRequestsDuringTheHandshake() throws Exception {
        HttpClientChooser chooser = new HttpClientChooser(Channels::pipeline);
        MemoryChannel channel =
                MemoryChannel.connected(SslContextBuilder.forClient().build().newHandler("localhost", 443), chooser);
        CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();
        channel.getPipeline().remove(chooser);
        assertInstanceOf(IllegalStateException.class, failure(opened).getCause());
        channel.close();
    }

    @Test
    void shouldPassOnWhatAServerHasReceived() {
        FakeTimer timer = new FakeTimer();
        HttpServerChooser chooser = new HttpServerChooser(
                Channels::pipeline,
                Http2Settings.defaults().toBuilder().timer(timer).build());
        MemoryChannel channel = MemoryChannel.connected(chooser);
        channel.receive(ChannelBuffers.copiedBuffer("PRI", US_ASCII));
        channel.takeUpstream();
        channel.getPipeline().remove(chooser);
        List<Object> received = channel.takeReceived();
        assertEquals(1, received.size());
        assertEquals("PRI", ((ChannelBuffer) received.get(0)).toString(US_ASCII));
        assertEquals(List.of(ChannelState.OPEN, ChannelState.BOUND, ChannelState.CONNECTED), states(channel));
        timer.advance(Duration.ofMinutes(5));
        assertTrue(channel.isOpen(), () -> "closed: " + channel.getCloseReason());
    }

    /** Also if that takes two calls, on the I/O thread. */
    @Test
    void shouldStillChooseAfterItWasRenamedOrMoved() {
        HttpServerChooser chooser = new HttpServerChooser(() -> Channels.pipeline(new SimpleChannelHandler()));
        MemoryChannel channel = MemoryChannel.connected(chooser).holdTasks();
        ChannelPipeline pipeline = channel.getPipeline();
        pipeline.replace(chooser, "renamed", chooser);
        channel.runTasks();
        pipeline.remove(chooser);
        pipeline.addFirst("moved", chooser);
        channel.runTasks();
        channel.receive(ChannelBuffers.copiedBuffer("GET / HTTP/1.1\r\n\r\n", US_ASCII));
        assertNotNull(pipeline.get(HttpServerCodec.class));
        assertNull(pipeline.get(HttpServerChooser.class));
    }
}
