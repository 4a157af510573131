package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A method of a written frame acts on its stream or session, at each call in turn. What was sent and reported stays consistent. */
class SpdyActingFrameTest {
    private static final int MANY_STEPS = 200;

    enum Act {
        RESET,
        END,
        CLOSE,
        REMOVE_HANDLER
    }

    enum Written {
        DATA(100),
        MORE_THAN_THE_WINDOW(100_000),
        HEADERS(0);

        private final int length;

        Written(int length) {
            this.length = length;
        }
    }

    private MemoryChannel session;
    private Act act;
    private int left;

    private void step() {
        if (left-- == 0) {
            switch (act) {
                case RESET -> session.write(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
                case END -> session.write(lastData());
                case CLOSE -> close();
                case REMOVE_HANDLER -> session.getPipeline().remove(SpdySessionHandler.class);
            }
        }
    }

    private void close() {
        session.close(); // says goodbye, and waits for the streams
        session.close();
    }

    private static SpdyDataFrame lastData() {
        SpdyDataFrame last = new DefaultSpdyDataFrame(1);
        last.setLast(true);
        return last;
    }

    private <T> T acting(Class<T> type, T frame) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            step();
            try {
                return method.invoke(frame, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private SpdyStreamFrame frame(Written written, boolean isLast) {
        if (written == Written.HEADERS) {
            SpdyHeadersFrame headers = new DefaultSpdyHeadersFrame(1);
            headers.setLast(isLast);
            return acting(SpdyHeadersFrame.class, headers);
        }
        SpdyDataFrame data = new DefaultSpdyDataFrame(1);
        data.setData(ChannelBuffers.wrappedBuffer(new byte[written.length]));
        data.setLast(isLast);
        return acting(SpdyDataFrame.class, data);
    }

    static Stream<Arguments> actsAndFrames() {
        return Stream.of(Act.values())
                .flatMap(act -> Stream.of(Written.values())
                        .flatMap(written ->
                                Stream.of(Arguments.of(act, written, false), Arguments.of(act, written, true))));
    }

    @ParameterizedTest
    @MethodSource("actsAndFrames")
    void shouldStayConsistentWhateverAFrameDoes(Act act, Written written, boolean isLast) {
        this.act = act;
        int steps = 0;
        do {
            session = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
            session.receive(new DefaultSpdySynStreamFrame(1, 0, (byte) 0));
            session.write(new DefaultSpdySynReplyFrame(1));
            SpdyStreamFrame frame = frame(written, isLast);
            left = steps;
            ChannelFuture future = session.write(frame);
            session.receive(new DefaultSpdyWindowUpdateFrame(1, 100_000));
            session.receive(new DefaultSpdyWindowUpdateFrame(0, 100_000));
            boolean wasReached = left < 0;
            left = -1;
            String when = "after " + steps + " calls";
            checkSent(when);
            assertTrue(future.isDone(), when);
            close();
            assertFalse(session.isOpen(), when);
            assertEquals(0, WriteAccount.waitingBytes(session), when);
            assertEquals(List.of(), session.takeCaught(), when);
            if (!wasReached) {
                return;
            }
            steps++;
        } while (steps < MANY_STEPS);
        assertTrue(steps < MANY_STEPS, steps + " steps");
    }

    private void checkSent(String when) {
        boolean isOver = false;
        for (Object sent : session.takeWritten()) {
            if (sent instanceof SpdyRstStreamFrame) {
                isOver = true;
            } else if (sent instanceof SpdyStreamFrame frame) {
                assertFalse(isOver, () -> when + ": after the end: " + frame);
                isOver = frame.isLast();
            }
        }
    }
}
