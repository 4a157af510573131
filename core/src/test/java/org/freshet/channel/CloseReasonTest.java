package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reason says, and the exception that contains it. */
class CloseReasonTest {
    private static final IOException CAUSE = new IOException("no route");

    @Test
    void shouldSayTheKindTheDetailAndTheCause() {
        assertEquals("the connection was refused", CloseReason.of(Kind.REFUSED).text());
        CloseReason detailed = CloseReason.of(Kind.REFUSED, "65 connections");
        assertEquals("the connection was refused: 65 connections", detailed.text());
        CloseReason full = CloseReason.of(Kind.REFUSED, "65 connections", CAUSE);
        assertEquals("the connection was refused: 65 connections (java.io.IOException: no route)", full.text());
        assertEquals("REFUSED: " + full.text(), full.toString());
        assertEquals("65 connections", full.detail());
        assertSame(CAUSE, full.cause());
        CloseReason onlyCause = CloseReason.of(Kind.REFUSED, null, CAUSE);
        assertSame(CAUSE, onlyCause.cause());
        assertNull(onlyCause.detail());
    }

    @Test
    void shouldBeSharedIfThereIsNothingToAdd() {
        assertSame(CloseReason.of(Kind.LOCAL), CloseReason.of(Kind.LOCAL, null, null));
        assertSame(CloseReason.LOCAL, CloseReason.of(Kind.LOCAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection reset by peer", "Broken pipe", "Software caused connection abort: recv failed"})
    void shouldKnowAConnectionThatThePeerAborted(String message) {
        IOException abort = new IOException(message);
        CloseReason reason = CloseReason.ofFailure(Kind.WRITE_FAILED, abort);
        assertEquals(Kind.PEER_RESET, reason.kind());
        assertSame(abort, reason.cause());
    }

    @Test
    void shouldKeepTheKindOfAnyOtherFailure() {
        for (Throwable failure : new Throwable[] {
            CAUSE, new IOException("Connection timed out"), new IOException(), new RuntimeException("Broken pipe")
        }) {
            assertEquals(
                    Kind.READ_FAILED,
                    CloseReason.ofFailure(Kind.READ_FAILED, failure).kind(),
                    failure.toString());
        }
    }

    @Test
    void shouldBeTheReasonOfAnExceptionWithTheSameCause() {
        CloseReason reason = CloseReason.of(Kind.REFUSED, "65 connections", CAUSE);
        ChannelClosedException failure = new ChannelClosedException(reason);
        assertSame(reason, failure.getReason());
        assertSame(CAUSE, failure.getCause());
        assertEquals("the channel is closed: " + reason.text(), failure.getMessage());
        assertNull(new ChannelClosedException(CloseReason.LOCAL).getCause());
        ChannelClosedException unknown = new ChannelClosedException(null);
        assertNull(unknown.getReason());
        assertNull(unknown.getCause());
        assertEquals("the channel is closed", unknown.getMessage());
    }

    @Test
    void shouldLeaveTheCauseOfAnExceptionToItsThrowerIfItHasNone() {
        ChannelClosedException failure = new ChannelClosedException(CloseReason.LOCAL);
        failure.initCause(CAUSE);
        assertSame(CAUSE, failure.getCause());
    }
}
