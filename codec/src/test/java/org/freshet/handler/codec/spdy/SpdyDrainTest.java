package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.drain.ChannelDrain.Outcome;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a drain reports of a session: its streams hold the channel, and are lost if the peer closes first. */
class SpdyDrainTest {
    private final MemoryChannel session = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));

    private void request() {
        request(true);
    }

    private void request(boolean isLast) {
        SpdySynStreamFrame request = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
        request.setLast(isLast);
        session.receive(request);
    }

    private void answer() {
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        reply.setLast(true);
        session.write(reply);
    }

    private void closeByPeer() {
        session.close(); // says goodbye, and waits for the streams
        session.close();
        assertFalse(session.isOpen());
    }

    @Test
    void shouldHoldTheChannelUntilItsStreamsHaveEnded() {
        DrainEvent event = new DrainEvent(session, () -> {});
        request();
        session.getPipeline().sendUpstream(event);
        assertTrue(event.isHeld());
        answer();
        assertFalse(event.isHeld());
        closeByPeer();
    }

    @ParameterizedTest
    @CsvSource({"false, LOST", "true, FINISHED"})
    void shouldEndWithTheStreamsIfTheHandlerIsRemoved(boolean isAnswered, Outcome outcome) {
        request(false);
        ChannelDrain drain = ChannelDrain.start(session, 0, Runnable::run);
        if (isAnswered) {
            answer();
        }
        assertFalse(drain.ended().isDone());
        session.getPipeline().remove(SpdySessionHandler.class);
        assertTrue(drain.ended().isDone());
        assertEquals(outcome, drain.ended().join().outcome());
        assertEquals(isAnswered, drain.ended().join().holds().isEmpty());
    }

    @Test
    void shouldPassOnACloseThatWaitsForStreamsWhenTheHandlerIsRemoved() {
        request();
        session.close();
        assertTrue(session.isOpen());
        session.getPipeline().remove(SpdySessionHandler.class);
        assertFalse(session.isOpen());
    }

    @Test
    void shouldFailWhatWaitsForAWindowWhenTheHandlerIsRemoved() {
        request();
        SpdyDataFrame data = new DefaultSpdyDataFrame(1);
        data.setData(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        session.write(new DefaultSpdySynReplyFrame(1));
        ChannelFuture written = session.write(data);
        assertFalse(written.isDone());
        session.getPipeline().remove(SpdySessionHandler.class);
        assertInstanceOf(ClosedChannelException.class, written.getCause());
        assertEquals(0, WriteAccount.waitingBytes(session));
    }

    @Test
    void shouldReportAStreamAsLostWhosePeerClosesBeforeItsAnswer() {
        request();
        ChannelDrain drain = ChannelDrain.start(session, TimeUnit.DAYS.toNanos(1), Runnable::run);
        closeByPeer();
        assertEquals(Outcome.LOST, drain.ended().join().outcome());
    }

    /** Its client still sends content, but has what it asked for. */
    @Test
    void shouldNotReportAnAnsweredStreamAsLostWhoseRequestHasNotEnded() {
        request(false);
        ChannelDrain drain = ChannelDrain.start(session, TimeUnit.DAYS.toNanos(1), Runnable::run);
        answer();
        closeByPeer();
        assertEquals(Outcome.FINISHED, drain.ended().join().outcome());
    }

    @Test
    void shouldNotReportAnAnsweredStreamAsLost() {
        request();
        ChannelDrain drain = ChannelDrain.start(session, TimeUnit.DAYS.toNanos(1), Runnable::run);
        answer();
        closeByPeer();
        assertEquals(Outcome.FINISHED, drain.ended().join().outcome());
    }

    /** The outcome of a client's drain whose server closes while the request has not ended. */
    private static Outcome ofAClient(boolean isAnswered) {
        MemoryChannel client = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, false));
        client.write(new DefaultSpdySynStreamFrame(1, 0, (byte) 0));
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        reply.setLast(isAnswered);
        client.receive(reply);
        ChannelDrain drain = ChannelDrain.start(client, TimeUnit.DAYS.toNanos(1), Runnable::run);
        client.close(); // says goodbye, and waits for the streams
        client.close();
        assertFalse(client.isOpen());
        return drain.ended().join().outcome();
    }

    @Test
    void shouldReportAClientsStreamAsLostOnlyIfItsAnswerIsIncomplete() {
        assertEquals(Outcome.LOST, ofAClient(false));
        assertEquals(Outcome.FINISHED, ofAClient(true));
    }
}
