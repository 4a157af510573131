package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** A DATA frame changes while it waits for a window. The frame is sent as it was written: the windows count that. */
class SpdyChangedFrameTest {
    private static final int WINDOW = 65_536;

    private final MemoryChannel session = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
    private final ChannelBuffer data = ChannelBuffers.dynamicBuffer();

    /** What the next call of {@link Own#isLast()} does. */
    private Runnable act = () -> {};

    private final class Own extends DefaultSpdyDataFrame {
        Own() {
            super(1);
            setData(data);
        }

        @Override
        public boolean isLast() {
            Runnable once = act;
            act = () -> {};
            once.run();
            return super.isLast();
        }
    }

    private final SpdyDataFrame frame = new Own();

    private ChannelFuture writeWithoutWindow() {
        session.receive(new DefaultSpdySynStreamFrame(1, 0, (byte) 0));
        session.write(new DefaultSpdySynReplyFrame(1));
        SpdyDataFrame first = new DefaultSpdyDataFrame(1);
        first.setData(ChannelBuffers.wrappedBuffer(new byte[WINDOW]));
        session.write(first);
        data.writeBytes(new byte[10]);
        ChannelFuture written = session.write(frame);
        assertFalse(written.isDone());
        session.takeWritten();
        return written;
    }

    private void widen(int bytes) {
        session.receive(new DefaultSpdyWindowUpdateFrame(1, bytes));
        session.receive(new DefaultSpdyWindowUpdateFrame(0, bytes));
    }

    private void assertSentAsWritten(ChannelFuture written) {
        widen(10);
        List<Object> sent = session.takeWritten();
        assertEquals(1, sent.size());
        SpdyDataFrame only = (SpdyDataFrame) sent.get(0);
        assertEquals(10, only.getData().readableBytes());
        assertEquals(1, only.getStreamId());
        assertFalse(only.isLast());
        assertTrue(written.isSuccess());
        assertEquals(0, WriteAccount.waitingBytes(session));
    }

    @Test
    void shouldSendTheFrameItselfIfItHasNotChanged() {
        writeWithoutWindow();
        widen(10);
        assertSame(frame, session.takeWritten().get(0));
    }

    @Test
    void shouldNotSendBytesAppendedLater() {
        ChannelFuture written = writeWithoutWindow();
        data.writeBytes(new byte[4990]);
        assertSentAsWritten(written);
    }

    @Test
    void shouldNotSendOtherData() {
        ChannelFuture written = writeWithoutWindow();
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[5000]));
        assertSentAsWritten(written);
    }

    @Test
    void shouldSendDataThatWasReadMeanwhile() {
        ChannelFuture written = writeWithoutWindow();
        data.skipBytes(5);
        assertSentAsWritten(written);
    }

    @Test
    void shouldNotEndTheStreamEarly() {
        ChannelFuture written = writeWithoutWindow();
        frame.setLast(true);
        assertSentAsWritten(written);
    }

    @Test
    void shouldNotSendOnAnotherStream() {
        ChannelFuture written = writeWithoutWindow();
        frame.setStreamId(3);
        assertSentAsWritten(written);
    }

    @Test
    void shouldSendWhatWasWrittenIfTheFrameThrows() {
        ChannelFuture written = writeWithoutWindow();
        act = () -> {
            throw new IllegalStateException("on purpose");
        };
        assertSentAsWritten(written);
    }

    @Test
    void shouldSendNothingIfTheFrameResetsItsStream() {
        ChannelFuture written = writeWithoutWindow();
        act = () -> session.write(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        widen(10);
        List<Object> sent = session.takeWritten();
        assertEquals(1, sent.size());
        assertTrue(sent.get(0) instanceof SpdyRstStreamFrame);
        assertFalse(written.isSuccess());
        assertTrue(written.isDone());
        assertEquals(0, WriteAccount.waitingBytes(session));
    }
}
