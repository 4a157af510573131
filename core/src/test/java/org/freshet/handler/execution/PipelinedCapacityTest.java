package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.EstimatableObjectWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests and bytes that are in progress at a time, and messages without a known size. */
class PipelinedCapacityTest extends PipelinedRequests {
    // ---- messages without a known size ----

    /** Its size cannot be estimated. */
    private static final class Unsizable extends AbstractList<Object> {
        @Override
        public Object get(int index) {
            throw new IllegalStateException("unsizable");
        }

        @Override
        public int size() {
            throw new IllegalStateException("unsizable");
        }
    }

    private static final EstimatableObjectWrapper UNWRAPPABLE = () -> {
        throw new IllegalStateException("unwrappable");
    };

    static Stream<Object> messagesOfUnknownSize() {
        return Stream.of(new Unsizable(), UNWRAPPABLE);
    }

    @ParameterizedTest
    @MethodSource("messagesOfUnknownSize")
    void shouldFailAnAnswerIfAPartCannotBeEstimatedAndContinue(Object part) {
        MemoryChannel channel = connectWithSubstitute("sorry");
        ChannelFuture[] future = new ChannelFuture[1];
        channel.receive((Request) e -> future[0] = e.getChannel().write(part));
        channel.receive("b");
        executor.runAll();
        assertInstanceOf(IllegalStateException.class, future[0].getCause());
        assertEquals(List.of("sorry", "b"), channel.takeWritten());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldCloseWhenEvenTheSubstituteCannotBeEstimated() {
        MemoryChannel channel = connectWithSubstitute(new Unsizable());
        channel.receive(throwing(new IllegalStateException("no")));
        executor.runAll();
        assertFalse(channel.isOpen());
    }

    /** If it were merely dropped, the next answer would be mistaken for its answer. */
    @Test
    void shouldFailARequestThatCannotBeEstimatedInOrder() {
        MemoryChannel channel = connectWithSubstitute("sorry");
        channel.receive("a");
        channel.receive(UNWRAPPABLE);
        channel.receive("c");
        assertEquals(2, executor.size());
        executor.runAll();
        assertEquals(List.of("a", "sorry", "c"), channel.takeWritten());
        assertEquals(0, timer.pendingTimeouts());
        assertTrue(channel.isReadable());
    }

    // ---- limits ----

    @Test
    void shouldRunNoMoreThanAllowedAndSuspendReadingMeanwhile() {
        MemoryChannel channel = MemoryChannel.connected(handler(executor, 4, 1 << 20), business);
        for (int i = 0; i < 3; i++) {
            channel.receive(i);
        }
        assertTrue(channel.isReadable());
        channel.receive(3);
        assertFalse(channel.isReadable());
        channel.receive(4);
        assertEquals(4, executor.size());
        executor.run(1);
        assertEquals(3, executor.size(), "an answer that waits for its turn counts");
        executor.run(0);
        assertEquals(List.of(0, 1), channel.takeWritten());
        assertEquals(3, executor.size());
        assertTrue(channel.isReadable());
        executor.runAll();
        assertEquals(List.of(2, 3, 4), channel.takeWritten());
    }

    @Test
    void shouldCountATimedOutRequestUntilItsHandlersReturn() {
        MemoryChannel channel = MemoryChannel.connected(
                new PipelinedExecutionHandler(executor, timer, 1, 1 << 20, Duration.ofMillis(TIMEOUT_MILLIS)) {
                    @Override
                    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                        return "504";
                    }
                },
                business);
        channel.receive((Request) e -> {
            timer.advanceMillis(TIMEOUT_MILLIS);
            assertEquals(List.of("504"), channel.takeWritten());
            assertFalse(channel.isReadable());
        });
        executor.runAll();
        assertEquals(
                List.of(),
                channel.takeCaught().stream().filter(t -> t instanceof Error).toList());
        assertTrue(channel.isReadable());
        channel.receive("b");
        executor.runAll();
        assertEquals(List.of("b"), channel.takeWritten());
    }

    @Test
    void shouldSuspendReadingWhileRequestsAndAnswersTakeTooMuchMemory() {
        MemoryChannel channel = MemoryChannel.connected(handler(executor, 100, 20_000), business);
        channel.receive("a");
        channel.receive((Request) e -> e.getChannel().write(new byte[20_000]));
        channel.receive("c");
        executor.run(1);
        assertFalse(channel.isReadable());
        channel.receive("d");
        assertEquals(2, executor.size(), "no more requests are started");
        executor.run(0);
        assertTrue(channel.isReadable());
        executor.runAll();
        assertEquals(4, channel.takeWritten().size());
    }

    @Test
    void shouldSuspendReadingWhileThePeerDoesNotRead() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.turnWritable(false);
        assertFalse(channel.isReadable());
        channel.receive("b");
        assertEquals(1, executor.size());
        channel.turnWritable(true);
        assertTrue(channel.isReadable());
        executor.runAll();
        assertEquals(List.of("a", "b"), channel.takeWritten());
    }

    @Test
    void shouldWorkWithAnExecutorThatLimitsMemory() {
        MemoryAwareThreadPoolExecutor pool = new MemoryAwareThreadPoolExecutor(2, 1, 0);
        PipelinedExecutionHandler handler = handler(pool, 100, 1 << 20);
        MemoryChannel channel = MemoryChannel.connected(handler, business);
        for (int i = 0; i < 1000; i++) {
            channel.receive(i);
        }
        List<Object> written = new ArrayList<>();
        Await.until(() -> written.addAll(channel.takeWritten()) && written.size() == 1000, "all answers");
        Await.until(channel::isReadable, "reading");
        for (int i = 0; i < 1000; i++) {
            assertEquals(i, written.get(i));
        }
        handler.releaseExternalResources();
    }

    @Test
    void shouldRefuseInvalidLimits() {
        assertThrows(IllegalArgumentException.class, () -> handler(executor, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> handler(executor, 1, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> new PipelinedExecutionHandler(executor, timer, 1, 1, Duration.ZERO));
        PipelinedExecutionHandler standard = new PipelinedExecutionHandler(executor, timer);
        assertEquals(PipelinedExecutionHandler.DEFAULT_MAX_IN_FLIGHT, standard.getMaxInFlight());
        assertEquals(PipelinedExecutionHandler.DEFAULT_MAX_MEMORY_SIZE, standard.getMaxMemorySize());
        assertEquals(Duration.ofSeconds(60), standard.getAnswerTimeout());
    }
}
