package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.endInput;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class WebSocketServerClosingTest extends ServedWebSocket {
    // ---- closing ----

    @Test
    void shouldAnswerCloseFrameAndClose() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, concat(masked(0x88, hex("0fa0 6f6b")), masked(0x81, "late")));
        assertEquals(List.of("bytes 88040fa06f6b"), sent(channel));
        assertInstanceOf(
                ClosedChannelException.class,
                channel.write(new TextWebSocketFrame("late")).getCause());
        assertTrue(channel.isOpen());
        channel.completeWrites();
        assertFalse(channel.isOpen());
        assertEquals(1, log.lines.size());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldCloseConnectionEvenIfTheAnswerToCloseFrameCannotBeWritten() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, masked(0x88, ""));
        timer.advanceMillis(2999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseOnceItsCloseFrameIsAnswered() {
        MemoryChannel channel = open(config());
        assertTrue(channel.write(new CloseWebSocketFrame(1001, "bye")).isSuccess());
        assertEquals(List.of("bytes 880503e9627965"), sent(channel));
        assertTrue(channel.isOpen());
        for (WebSocketFrame late :
                List.of(new TextWebSocketFrame("late"), new PingWebSocketFrame(), new CloseWebSocketFrame(1000, ""))) {
            assertInstanceOf(ClosedChannelException.class, channel.write(late).getCause());
        }
        receive(channel, concat(masked(0x81, "still on its way"), masked(0x89, "p"), masked(0x88, hex("03e9"))));
        assertEquals("Text 'still on its way'", log.lines.get(1));
        assertEquals(List.of(), sent(channel));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseIfItsCloseFrameIsNotAnswered() {
        MemoryChannel channel = open(config().closeTimeout(Duration.ofSeconds(7)));
        channel.write(new CloseWebSocketFrame(1000, ""));
        timer.advanceMillis(6999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of("bytes 880203e8"), sent(channel));
    }

    @Test
    void shouldSendCloseFrameBeforeItClosesTheChannel() {
        MemoryChannel channel = open(config());
        channel.close();
        assertEquals(List.of("bytes 880203e8"), sent(channel));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSendOneCloseFrameOnly() {
        MemoryChannel channel = open(config());
        channel.write(new CloseWebSocketFrame(1011, "")).addListener(ChannelFutureListener.CLOSE);
        assertEquals(List.of("bytes 880203f3"), sent(channel));
        assertFalse(channel.isOpen());
        MemoryChannel refused = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config().build()));
        refused.receive(bytes(request()));
        takeSent(refused);
        receive(refused, hex("8100"));
        assertEquals(List.of("bytes 880203ea", "end of the output"), sent(refused));
        endInput(refused);
        assertFalse(refused.isOpen());
        assertEquals(1, refused.takeCaught().size());
    }

    /** The application may write until the close frame is sent and the connection closed. */
    @Test
    void shouldSendNothingAfterTheCloseFrameThatAnswersAFault() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, hex("8100"));
        assertEquals(List.of("bytes 880203ea"), sent(channel));
        for (WebSocketFrame late :
                List.of(new TextWebSocketFrame("late"), new PongWebSocketFrame(), new CloseWebSocketFrame(1000, ""))) {
            Throwable refused = channel.write(late).getCause();
            assertInstanceOf(ClosedChannelException.class, refused);
            assertEquals(
                    "cannot send a " + late.getClass().getSimpleName() + ": a close frame was already sent or received",
                    refused.getMessage());
        }
        channel.completeWrites();
        endInput(channel);
        assertFalse(channel.isOpen());
    }

    // ---- draining ----

    private static ChannelDrain drain(MemoryChannel channel) {
        return ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    @Test
    void shouldSendGoingAwayAndWaitForTheAnswerWhenDrained() {
        MemoryChannel channel = open(config());

        ChannelDrain drain = drain(channel);
        assertEquals(
                List.of("bytes 880203e9"),
                sent(channel).stream().filter(text -> !text.equals("bytes ")).toList());
        assertTrue(channel.isOpen());
        receive(channel, masked(0x88, hex("03e9")));

        assertFalse(channel.isOpen());
        assertEquals(ChannelDrain.Outcome.IDLE, drain.ended().join().outcome());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldNotWaitLongForTheAnswerWhenDrained() {
        MemoryChannel channel = open(config().closeTimeout(Duration.ofSeconds(7)));
        drain(channel);
        timer.advanceMillis(6999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNotSendGoingAwayWhileTheApplicationHoldsTheChannel() {
        MemoryChannel channel = open(config());
        List<DrainEvent.Hold> holds = new ArrayList<>();
        channel.getPipeline().addAfter(channel.context(log).getName(), "game", (ChannelUpstreamHandler) (ctx, e) -> {
            if (e instanceof DrainEvent drain) {
                holds.add(drain.hold(ctx, "a game"));
            }
            ctx.sendUpstream(e);
        });
        drain(channel);

        channel.write(new TextWebSocketFrame("one more"));
        assertEquals(List.of("bytes 81086f6e65206d6f7265"), sent(channel));
        holds.get(0).release();

        assertTrue(sent(channel).contains("bytes 880203e9"));
    }

    @Test
    void shouldSendGoingAwayAfterAHandshakeDuringADrain() {
        MemoryChannel channel = channel(config());
        drain(channel);
        channel.receive(bytes(request()));

        assertTrue(takeSent(channel).endsWith("\u0088\u0002\u0003\u00e9"));
    }

    @Test
    void shouldCloseImmediatelyWhenTheDrainIsOver() {
        MemoryChannel channel = open(config());
        ChannelDrain drain = drain(channel);

        drain.cut();

        assertFalse(channel.isOpen());
    }
}
