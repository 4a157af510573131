package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory runs out once while data is written. The session lives on, so nothing may stay charged, and no data may be left out. */
class SpdyWriteWithoutMemoryTest {
    private static final int WINDOW = 64 * 1024;
    private static final Duration STALL = Duration.ofSeconds(10);

    private final FakeTimer timer = new FakeTimer();
    private final MemoryChannel session = MemoryChannel.connected(new SpdySessionHandler(
            SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults().withWriteStall(STALL), timer));

    @BeforeEach
    void openStreams() {
        for (int id = 1; id <= 3; id += 2) {
            session.receive(new DefaultSpdySynStreamFrame(id, 0, (byte) 0));
            session.write(new DefaultSpdySynReplyFrame(id));
        }
        session.takeWritten();
    }

    /** Content whose first duplicate, and each slice of that, is a step at which memory runs out. */
    private static SpdyDataFrame data(int id, int length, Scarcity scarcity) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(id);
        ChannelBuffer content = ChannelBuffers.wrappedBuffer(new byte[length]);
        frame.setData(new DuplicatedChannelBuffer(content) {
            @Override
            public ChannelBuffer duplicate() {
                scarcity.step();
                return new DuplicatedChannelBuffer(content) {
                    @Override
                    public ChannelBuffer slice(int index, int length) {
                        scarcity.step();
                        return super.slice(index, length);
                    }
                };
            }
        });
        return frame;
    }

    private void assertEnded(int id) {
        assertEquals(0, WriteAccount.waitingBytes(session));
        List<Object> written = session.takeWritten();
        assertEquals(1, written.size());
        assertEquals(
                id, assertInstanceOf(SpdyRstStreamFrame.class, written.get(0)).getStreamId());
        assertTrue(session.isOpen());
    }

    private int takeSentBytes() {
        return session.takeWritten().stream()
                .filter(SpdyDataFrame.class::isInstance)
                .mapToInt(each -> ((SpdyDataFrame) each).getData().readableBytes())
                .sum();
    }

    @Test
    void shouldReleaseAndEndTheStreamIfAFrameCannotBeQueued() {
        Await.failure(session.write(data(1, 1, new Scarcity(0))), "the write");
        assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReleaseAndEndTheStreamIfAFrameCannotBeCut(boolean isLast) {
        SpdyDataFrame frame = data(1, WINDOW + 1, new Scarcity(1));
        frame.setLast(isLast);
        Await.failure(session.write(frame), "the write");
        assertEnded(1);
    }

    /** A frame that waits for the session's window is cut without memory when the window grows. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendAllDataIfAFrameThatWaitsCannotBeCut(boolean windowGrowsAgain) {
        session.write(data(1, WINDOW, Scarcity.later(0)));
        Scarcity scarcity = Scarcity.later(0);
        ChannelFuture written = session.write(data(3, WINDOW, scarcity));
        session.takeWritten();
        scarcity.begin();
        Scarcity.survive(() -> session.receive(new DefaultSpdyWindowUpdateFrame(0, WINDOW / 2)));
        assertTrue(scarcity.wasReached());
        int sent = 0;
        if (!windowGrowsAgain) { // the peer, which got nothing, opens no window: the session tries again itself
            timer.advance(STALL);
            sent = takeSentBytes();
            assertEquals(WINDOW / 2, sent);
        }
        session.receive(new DefaultSpdyWindowUpdateFrame(0, WINDOW / 2));
        Await.success(written, "the write");
        assertEquals(WINDOW, sent + takeSentBytes());
        assertEquals(0, WriteAccount.waitingBytes(session));
    }
}
