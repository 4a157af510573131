package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.freshet.channel.CloseReason;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class WebSocketServerPingsTest extends ServedWebSocket {
    @Test
    void shouldAnswerPings() {
        MemoryChannel channel = open(config());
        receive(channel, concat(masked(0x89, "one"), masked(0x89, ""), masked(0x8a, "unasked")));
        assertEquals(List.of("bytes 8a036f6e65", "bytes 8a00"), sent(channel));
        assertEquals("Pong 756e61736b6564", log.lines.get(1));
    }

    @Test
    void shouldHaveBeenClosedByThePeerWhoseCloseFrameIsAnswered() {
        MemoryChannel channel = open(config());
        receive(channel, masked(0x88, ""));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.PEER_CLOSED, channel.getCloseReason().kind());
    }

    @Test
    void shouldAnswerOnlyTheLatestPingFromAPeerThatDoesNotRead() {
        MemoryChannel channel = open(config());
        channel.turnWritable(false);
        for (int i = 0; i < 1000; i++) {
            receive(channel, masked(0x89, "ping " + i));
        }
        assertEquals(List.of(), sent(channel));
        channel.turnWritable(true);
        assertEquals(List.of("bytes 8a0870696e6720393939"), sent(channel));
    }

    @Test
    void shouldPingAndContinueAfterThePong() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        timer.advanceMillis(29_999);
        assertEquals(List.of(), sent(channel));
        timer.advanceMillis(1);
        assertEquals(List.of("bytes 89080000000000000001"), sent(channel));
        receive(channel, masked(0x8a, hex("0000000000000001")));
        timer.advanceMillis(29_999);
        assertEquals(List.of(), sent(channel));
        timer.advanceMillis(1);
        assertEquals(List.of("bytes 89080000000000000002"), sent(channel));
        assertEquals(1, log.lines.size(), "pongs that answer its own pings are not passed up");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseUnresponsiveConnection() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        timer.advance(Duration.ofSeconds(39));
        sent(channel);
        assertTrue(channel.isOpen());
        timer.advance(Duration.ofSeconds(1));
        List<Throwable> caught = channel.takeCaught();
        assertInstanceOf(TimeoutException.class, caught.get(0));
        assertEquals("no pong within 10000 ms", caught.get(0).getMessage());
        assertFalse(channel.isOpen());
        assertEquals(List.of(), sent(channel));
    }

    @Test
    void shouldNotConsiderAPeerDeadThatIsSendingALongMessage() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        byte[] message = masked(0x82, new byte[10]);
        for (int i = 0; i < message.length; i++) {
            timer.advance(Duration.ofSeconds(9));
            receive(channel, new byte[] {message[i]});
        }
        assertTrue(channel.isOpen());
        assertEquals("Binary " + "00".repeat(10), log.lines.get(1));
        timer.advance(Duration.ofSeconds(100));
        assertFalse(channel.isOpen());
    }
}
