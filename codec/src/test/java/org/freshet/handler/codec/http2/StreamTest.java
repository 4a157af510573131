package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The windows and states of one stream, without a channel. */
class StreamTest {
    private final Stream stream = new Stream(null, 0);

    @Test
    void shouldReceiveAsMuchAsItsWindow() {
        stream.open(1, 0, 100);
        assertTrue(stream.take(60));
        assertTrue(stream.take(40));
        assertEquals(0, stream.receiveWindow());
        assertTrue(stream.take(0));
        assertFalse(stream.take(1));
    }

    @Test
    void shouldReturnCreditOnceItIsHalfAWindow() {
        stream.open(1, 0, 101);
        assertTrue(stream.take(101));
        assertEquals(0, stream.consume(50, 101), "100 of 101");
        assertEquals(51, stream.consume(1, 101));
        assertEquals(51, stream.receiveWindow());
        assertEquals(0, stream.consume(50, 101), "counted again from 0");
        assertEquals(0, stream.consume(49, 200));
        assertEquals(100, stream.consume(1, 200));
        assertEquals(151, stream.receiveWindow());
    }

    @Test
    void shouldReturnNoCreditOnceThePeerHasEnded() {
        stream.open(1, 0, 100);
        stream.take(100);
        stream.endRemote();
        assertEquals(0, stream.consume(100, 100));
        assertEquals(0, stream.receiveWindow());
    }

    @Test
    void shouldNotLetAWindowOverflow() {
        stream.open(1, 100, 100);
        assertTrue(stream.addSendWindow(Integer.MAX_VALUE - 100));
        assertEquals(Integer.MAX_VALUE, stream.sendWindow());
        assertFalse(stream.addSendWindow(1));
        assertEquals(Integer.MAX_VALUE, stream.sendWindow());
        assertTrue(stream.addSendWindow(-Integer.MAX_VALUE));
        assertTrue(stream.addSendWindow(-5));
        assertEquals(-5, stream.sendWindow());
        stream.addReceiveWindow(Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, stream.receiveWindow());
    }

    @Test
    void shouldHaveNothingToSendAtFirst() {
        stream.open(1, 100, 100);
        assertNull(stream.first());
        assertFalse(stream.isSendable());
        assertEquals(0, stream.checkStall(true));
        assertEquals(0, stream.checkStall(true));
    }

    @Test
    void shouldBeClosedOnceBothSidesHaveEnded() {
        assertEquals(0, stream.id());
        stream.open(7, 0, 0);
        assertEquals(7, stream.id());
        assertEquals(StreamState.OPEN, stream.state());
        assertTrue(stream.state().isLocalOpen() && stream.state().isRemoteOpen());
        stream.endLocal();
        assertEquals(StreamState.HALF_CLOSED_LOCAL, stream.state());
        assertTrue(!stream.state().isLocalOpen() && stream.state().isRemoteOpen());
        stream.endRemote();
        assertEquals(StreamState.CLOSED, stream.state());
        assertFalse(stream.state().isLocalOpen() || stream.state().isRemoteOpen());

        Stream other = new Stream(null, 0);
        other.open(9, 0, 0);
        other.endRemote();
        assertEquals(StreamState.HALF_CLOSED_REMOTE, other.state());
        assertTrue(other.state().isLocalOpen() && !other.state().isRemoteOpen());
        other.endLocal();
        assertEquals(StreamState.CLOSED, other.state());
        stream.close();
        stream.endLocal();
        stream.endRemote();
        assertEquals(StreamState.CLOSED, stream.state());
    }
}
