package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelHandlerLifeCycleException;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection ends: with a close, with close_notify, without it, or by removing its handler. */
@Tag("crypto")
class TlsClosingTest {
    @Test
    void shouldSendWritesBeforeACloseDuringTheHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("last words"));
        ChannelFuture closed = pair.client.close();
        assertFalse(closed.isDone());
        pair.pump();
        assertTrue(written.isSuccess());
        assertTrue(closed.isSuccess());
        assertEquals("last words", TlsPair.received(pair.server).toString(US_ASCII));
        assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldHaveBeenClosedByThePeerWhoseCloseNotifyCame(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        pair.server.write(text("answer"));
        pair.server.close();
        pair.pump();
        assertEquals("answer", TlsPair.received(pair.client).toString(US_ASCII));
        assertTrue(pair.client.getCloseFuture().isDone());
        assertEquals(CloseReason.LOCAL, pair.server.getCloseReason());
        assertEquals(CloseReason.PEER_CLOSED, pair.client.getCloseReason());
    }

    @Test
    void shouldCloseImmediatelyDuringTheHandshakeIfNothingIsQueued() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        assertTrue(pair.client.close().isSuccess());
        assertInstanceOf(
                ClosedChannelException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldNotWaitForAHandshakeWithoutLimit() throws Exception {
        SslHandler handler = new SslHandler(
                Certificates.client().build().newEngine("localhost", 1), new SslBufferPool(), false, null, 0);
        MemoryChannel channel = MemoryChannel.connected(handler);
        ChannelFuture written = channel.write(text("never"));
        ChannelFuture closed = channel.close();
        assertTrue(closed.isSuccess());
        assertInstanceOf(ClosedChannelException.class, written.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldAnswerARequestImmediatelyFollowedByCloseNotify(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        pair.server.getPipeline().addBefore("keeper of a MemoryChannel", "answer", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(text("answer"));
            }
        });
        pair.client.write(text("request"));
        pair.clientHandler.close();
        ChannelBuffer both = ChannelBuffers.dynamicBuffer();
        pair.client.takeWritten().forEach(message -> both.writeBytes((ChannelBuffer) message));
        pair.server.receive(both);
        pair.pump();
        assertEquals("answer", TlsPair.received(pair.client).toString(US_ASCII));
        assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    /** Counts how often its status is queried, and runs a task once. */
    private static final class WatchedEngine extends FaultyEngine {
        int asked;
        int runsAt;
        Runnable task;

        WatchedEngine() throws SSLException {
            super(Certificates.client().build().newEngine("localhost", 1));
        }

        @Override
        public HandshakeStatus getHandshakeStatus() {
            if (++asked == runsAt) {
                task.run();
            }
            return super.getHandshakeStatus();
        }
    }

    /** Another thread may request a close at any moment of a step that found nothing to send. */
    @Test
    void shouldCloseEvenIfTheRequestArrivesWhileAStepLooksForMessages() throws Exception {
        WatchedEngine engine = new WatchedEngine();
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(true);
        TlsPair pair = new TlsPair(handler, Certificates.server().build().newHandler(), () -> Integer.MAX_VALUE);
        pair.established();
        pair.server.write(text("first"));
        int before = engine.asked;
        pair.pump();
        int eachRead = engine.asked - before;
        pair.server.write(text("second"));
        engine.runsAt = engine.asked + eachRead; // the last check of the step
        engine.task = pair.client::close;
        pair.pump();
        pair.assertNothingCaught();
        assertEquals(CloseReason.LOCAL, pair.client.getCloseReason());
        assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    @Test
    void shouldReportATruncatedStream() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        Channels.close(pair.client.context(pair.clientHandler), Channels.future(pair.client)); // the connection breaks
        assertInstanceOf(
                SSLException.class,
                pair.clientHandler.getSSLEngineInboundCloseFuture().getCause());
        assertEquals(List.of(), pair.client.takeCaught());
    }

    @Test
    void shouldFailQueuedWritesWhenTheConnectionBreaks() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("lost"));
        Channels.close(pair.client.context(pair.clientHandler), Channels.future(pair.client));
        assertInstanceOf(ClosedChannelException.class, written.getCause());
        assertInstanceOf(
                ClosedChannelException.class, pair.clientHandler.handshake().getCause());
        assertInstanceOf(
                ClosedChannelException.class, pair.client.write(text("late")).getCause());
    }

    @Test
    void shouldNotReportAResetAfterItsCloseNotify() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.clientHandler.close();
        Channels.fireExceptionCaught(pair.client, new IOException("Connection reset"));
        assertEquals(List.of(), pair.client.takeCaught());
        assertTrue(pair.client.isOpen()); // the transport closes it after the received bytes are read
        TlsPair other = TlsPair.of(TLS_1_3).established();
        Channels.fireExceptionCaught(other.client, new IOException("Connection reset"));
        assertEquals(1, other.client.takeCaught().size());
    }

    @Test
    void shouldFailQueuedWritesWhenRemovedAndPassOnUnreadBytes() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        ChannelFuture written = pair.client.write(text("lost"));
        pair.client.receive(text("abc"));
        pair.client.getPipeline().remove(pair.clientHandler);
        assertInstanceOf(SSLException.class, written.getCause());
        assertInstanceOf(SSLException.class, pair.clientHandler.handshake().getCause());
        assertEquals("abc", TlsPair.received(pair.client).toString(US_ASCII));
        pair.client.takeWritten();
        pair.client.write(text("plain"));
        assertEquals(List.of(text("plain")), pair.client.takeWritten());
    }

    /** The previous session cannot be continued, and there would be neither data nor a failure. */
    @Test
    void shouldRefuseToBeAddedAgainAfterItWasRemoved() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3).established();
        pair.client.getPipeline().remove(pair.clientHandler);
        ChannelHandlerLifeCycleException refusal = assertThrows(
                ChannelHandlerLifeCycleException.class,
                () -> pair.client.getPipeline().addFirst("tls", pair.clientHandler));
        assertInstanceOf(IllegalStateException.class, refusal.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldSendCloseNotifyBeforeTheEndOfTheOutputAndKeepReading(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        ChannelFuture written = pair.server.write(text("answer"));
        ChannelFuture ended = Channels.shutdownOutput(pair.server);
        ChannelFuture late = pair.server.write(text("late"));
        List<Object> sent = pair.server.takeWritten();
        assertSame(OutputShutdown.INSTANCE, sent.get(sent.size() - 1));
        assertTrue(written.isSuccess() && ended.isSuccess());
        assertInstanceOf(OutputShutdownException.class, late.getCause());
        pair.client.write(text("still sending"));
        pair.deliver(pair.client, pair.server);
        assertEquals("still sending", TlsPair.received(pair.server).toString(US_ASCII));
        for (Object record : sent.subList(0, sent.size() - 1)) {
            pair.client.receive(record);
        }
        assertEquals("answer", TlsPair.received(pair.client).toString(US_ASCII));
        assertTrue(pair.clientHandler.getSSLEngineInboundCloseFuture().isSuccess());
        pair.assertNothingCaught();
        assertTrue(pair.server.isOpen());
        assertTrue(pair.server.close().isSuccess());
    }
}
