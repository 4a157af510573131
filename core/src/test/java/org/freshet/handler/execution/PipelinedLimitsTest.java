package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.junit.jupiter.api.Test;

/** When requests wait, when reading stops and goes on, and what ends them. */
class PipelinedLimitsTest {
    private final TaskQueue executor = new TaskQueue();
    private final FakeTimer timer = new FakeTimer();
    private PipelinedAnswer answer;

    private MemoryChannel connect(int maxInFlight, long maxMemory) {
        return MemoryChannel.connected(
                new PipelinedExecutionHandler(executor, timer, maxInFlight, maxMemory, Duration.ofMillis(1000)) {
                    @Override
                    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                        return "sorry";
                    }
                },
                new TaskRunner());
    }

    private MemoryChannel connect() {
        return connect(100, 1 << 20);
    }

    /** A request whose answer is still open when its handlers have returned. */
    private Runnable deferring() {
        return () -> answer = PipelinedAnswer.current().defer();
    }

    private static int sizeOf(MemoryChannel channel, Object message) {
        return new DefaultObjectSizeEstimator().estimateSize(new UpstreamMessageEvent(channel, message, null));
    }

    private static int sizeOfPart(MemoryChannel channel, Object message) {
        return new DefaultObjectSizeEstimator()
                .estimateSize(new DownstreamMessageEvent(channel, Channels.future(channel), message, null));
    }

    // ---- reading ----

    @Test
    void shouldReadAgainWhenThreeQuartersOfTheRequestsAreLeft() {
        MemoryChannel channel = connect(8, 1 << 20);
        for (int i = 0; i < 8; i++) {
            channel.receive("request " + i);
        }
        assertFalse(channel.isReadable());
        executor.run(0);
        assertFalse(channel.isReadable());
        executor.run(0);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldReadAgainWhenTheOnlyAllowedRequestIsAnswered() {
        for (int maxInFlight = 1; maxInFlight <= 3; maxInFlight++) {
            MemoryChannel channel = connect(maxInFlight, 1 << 20);
            for (int i = 0; i < maxInFlight; i++) {
                channel.receive("request");
            }
            assertFalse(channel.isReadable());
            executor.runAll();
            assertTrue(channel.isReadable());
        }
    }

    @Test
    void shouldReadAgainWhenHalfTheMemoryIsLeft() {
        int size = sizeOf(connect(), "a");
        MemoryChannel channel = connect(100, 4L * size);
        for (int i = 0; i < 3; i++) {
            channel.receive("a");
        }
        assertTrue(channel.isReadable());
        channel.receive("a");
        assertFalse(channel.isReadable());
        assertEquals(3, executor.size(), "the request that reaches the limit waits");
        executor.run(0);
        assertFalse(channel.isReadable(), "three of four");
        executor.run(0);
        assertTrue(channel.isReadable(), "two of four");
        executor.runAll();
        assertEquals(List.of("a", "a", "a", "a"), channel.takeWritten());
    }

    @Test
    void shouldStopReadingWhenAWaitingAnswerTakesTheLastByte() {
        for (int spare = 0; spare <= 1; spare++) {
            MemoryChannel other = connect();
            long bytes = sizeOf(other, "a") + sizeOf(other, "b") + sizeOfPart(other, "b");
            MemoryChannel channel = connect(100, bytes + spare);
            channel.receive("a");
            channel.receive("b");
            executor.run(1);
            assertEquals(spare > 0, channel.isReadable());
            executor.runAll();
            assertTrue(channel.isReadable());
        }
    }

    @Test
    void shouldRunARequestThatIsLargerThanTheLimitAlone() {
        MemoryChannel channel = connect(100, 1);
        channel.receive("a");
        channel.receive("b");
        assertEquals(1, executor.size());
        executor.runAll();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldNotCountThePartsOfAFailedAnswer() {
        MemoryChannel channel = connect(100, 20_000);
        channel.receive("a");
        channel.receive((Runnable) () -> {
            channel.write(new byte[20_000]);
            assertFalse(channel.isReadable());
            throw new IllegalStateException("meant");
        });
        executor.run(1);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldRunTheNextRequestOnceAnAnswerThatWasDeferredHasFailed() {
        MemoryChannel channel = connect(1, 1 << 20);
        channel.receive(deferring());
        executor.runAll();
        channel.receive("b");
        assertEquals(0, executor.size());
        assertFalse(channel.isReadable());
        answer.fail(new IllegalStateException("meant"));
        executor.runAll();
        assertEquals(List.of("sorry", "b"), channel.takeWritten());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldRunTheNextRequestWhenTheChannelClosesBeforeADeferredAnswer() {
        MemoryChannel channel = connect(1, 1 << 20);
        channel.receive(deferring());
        executor.runAll();
        boolean[] hasRun = {false};
        channel.receive((Runnable) () -> hasRun[0] = true);
        channel.close();
        executor.runAll();
        assertTrue(hasRun[0]);
    }

    /** An answer that waits for its turn counts, and its request has run: it makes room once. */
    @Test
    void shouldRunNoMoreRequestsThanAllowedWhenTheChannelHasClosed() {
        MemoryChannel channel = connect(2, 1 << 20);
        for (int i = 0; i < 5; i++) {
            channel.receive("request " + i);
        }
        executor.run(1);
        assertEquals(1, executor.size(), "the first; the answer to the second waits for it");
        channel.close();
        assertEquals(2, executor.size());
        executor.runAll();
        assertEquals(List.of(), channel.takeWritten());
    }

    // ---- ends ----

    @Test
    void shouldNotRunARequestWhoseTimeIsOverWhileItWaitedForAnother() {
        MemoryChannel channel = connect(1, 1 << 20);
        channel.receive("a");
        timer.advanceMillis(500);
        channel.receive("b");
        timer.advanceMillis(1000);
        assertEquals(List.of("sorry", "sorry"), channel.takeWritten());
        executor.run(0);
        assertEquals(0, executor.size());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldCloseForAnAnswerThatHasEnded() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive(deferring());
        executor.run(1);
        answer.end();
        answer.run(channel::close);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseInTheMiddleOfAnAnswerWhenOthersAskForIt() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        answer.write("part");
        ChannelFuture news = channel.write("news");
        assertFalse(news.isDone());
        channel.close();
        assertFalse(channel.isOpen());
        assertInstanceOf(ClosedChannelException.class, news.getCause());
    }

    @Test
    void shouldKeepADrainedChannelOpenForAnswersThatAreDue() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        ChannelDrain drain = ChannelDrain.start(channel, 0, Runnable::run);
        assertTrue(channel.isOpen());
        answer.write("late");
        answer.end();
        assertEquals(
                ChannelDrain.Outcome.FINISHED,
                Await.result(drain.ended(), "the drain").outcome());
        assertEquals(List.of("late"), channel.takeWritten());
    }
}
