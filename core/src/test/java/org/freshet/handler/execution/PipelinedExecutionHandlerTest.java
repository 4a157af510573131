package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.freshet.util.EstimatableObjectWrapper;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests finish in the order in which the test runs the executor's tasks. */
class PipelinedExecutionHandlerTest {
    private static final int TIMEOUT_MILLIS = 1000;

    private final TaskQueue executor = new TaskQueue();
    private final FakeTimer timer = new FakeTimer();
    private final Business business = new Business();

    /** The message of a request is the action it performs. */
    private interface Request {
        void handle(MessageEvent e) throws Exception;
    }

    private static final class Business extends SimpleChannelUpstreamHandler {
        Request onException = e -> {};

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage() instanceof Request request) {
                request.handle(e);
            } else {
                e.getChannel().write(e.getMessage());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
            onException.handle(null);
            ctx.sendUpstream(e);
        }
    }

    private PipelinedExecutionHandler handler(Executor executor, int maxInFlight, long maxMemory) {
        return new PipelinedExecutionHandler(
                executor, timer, maxInFlight, maxMemory, Duration.ofMillis(TIMEOUT_MILLIS));
    }

    private MemoryChannel connect() {
        return MemoryChannel.connected(handler(executor, 100, 1 << 20), business);
    }

    private MemoryChannel connectWithSubstitute(Object substitute) {
        return MemoryChannel.connected(
                new PipelinedExecutionHandler(executor, timer, 100, 1 << 20, Duration.ofMillis(TIMEOUT_MILLIS)) {
                    @Override
                    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                        return substitute;
                    }
                },
                business);
    }

    private static Request writing(Map<String, ChannelFuture> futures, String... parts) {
        return e -> {
            for (String part : parts) {
                futures.put(part, e.getChannel().write(part));
            }
        };
    }

    private static Request throwing(RuntimeException thrown) {
        return e -> {
            throw thrown;
        };
    }

    // ---- order ----

    @Test
    void shouldAnswerInTheOrderOfRequestsWhateverOrderTheyFinishIn() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive("b");
        channel.receive("c");
        assertEquals(3, executor.size(), "requests that run in parallel");
        executor.run(2);
        executor.run(1);
        assertEquals(List.of(), channel.takeWritten());
        executor.run(0);
        assertEquals(List.of("a", "b", "c"), channel.takeWritten());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldKeepTheWritesOfAnAnswerTogetherAndSendThoseOfTheFirstImmediately() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        channel.receive(writing(futures, "b1", "b2"));
        channel.receive(writing(futures, "c1", "c2"));
        executor.run(2);
        executor.run(1);
        executor.run(0);
        first[0].write("a1");
        assertEquals(List.of("a1"), channel.takeWritten());
        first[0].write("a2");
        assertFalse(futures.get("b1").isDone());
        first[0].end();
        assertEquals(List.of("a2", "b1", "b2", "c1", "c2"), channel.takeWritten());
        assertTrue(futures.values().stream().allMatch(ChannelFuture::isSuccess));
    }

    @Test
    void shouldAcceptARequestWithoutAnAnswer() {
        MemoryChannel channel = connect();
        channel.receive((Request) e -> {});
        channel.receive("b");
        executor.run(1);
        assertEquals(List.of(), channel.takeWritten());
        executor.run(0);
        assertEquals(List.of("b"), channel.takeWritten());
    }

    @Test
    void shouldNotLetOthersWriteIntoTheMiddleOfAnAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        executor.runAll();
        channel.write("news 1");
        first[0].write("a1");
        channel.write("news 2");
        first[0].write("a2");
        assertEquals(List.of("news 1", "a1", "a2"), channel.takeWritten());
        first[0].end();
        assertEquals(List.of("news 2"), channel.takeWritten());
    }

    @Test
    void shouldAnswerWithWritesOfOtherThreadsThatRunUnderTheAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] answers = new PipelinedAnswer[2];
        channel.receive((Request) e -> answers[0] = PipelinedAnswer.current().defer());
        channel.receive((Request) e -> answers[1] = PipelinedAnswer.current().defer());
        executor.runAll();
        assertSame(channel, answers[0].getChannel());
        answers[1].run(() -> {
            assertSame(answers[1], PipelinedAnswer.current());
            channel.write("b");
        });
        answers[1].end();
        assertTrue(answers[1].isEnded());
        assertFalse(answers[0].isEnded());
        answers[0].run(() -> channel.write("a"));
        answers[0].end();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        assertThrows(IllegalStateException.class, PipelinedAnswer::current);
    }

    @Test
    void shouldRefuseWritesAfterTheEndOfAnAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] answer = new PipelinedAnswer[1];
        channel.receive((Request) e -> answer[0] = PipelinedAnswer.current());
        executor.runAll();
        assertInstanceOf(IllegalStateException.class, answer[0].write("late").getCause());
        assertThrows(IllegalStateException.class, answer[0]::defer);
        answer[0].end();
        answer[0].fail(new RuntimeException("too late to matter"));
        assertTrue(channel.isOpen());
    }

    /** A listener runs on the thread that sends; its writes are not part of that thread's answer. */
    @Test
    void shouldNotAddWritesOfListenersToTheAnswerOfTheCallingThread() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive((Request) e -> e.getChannel().write("b").addListener(f -> channel.write("after b")));
        channel.receive("c");
        executor.run(1);
        executor.run(1);
        executor.run(0);
        assertEquals(4, channel.takeWritten().size());
    }

    // ---- failures ----

    @Test
    void shouldCloseAfterSendingTheAnswersThatPrecedeAFailedRequest() {
        MemoryChannel channel = connect();
        Map<String, ChannelFuture> futures = new HashMap<>();
        RuntimeException thrown = new RuntimeException("meant");
        channel.receive(writing(futures, "a"));
        channel.receive(throwing(thrown));
        channel.receive(writing(futures, "c"));
        executor.run(2);
        executor.run(1);
        assertTrue(channel.isOpen());
        executor.run(0);
        assertEquals(List.of("a"), channel.takeWritten());
        assertFalse(channel.isOpen());
        assertTrue(futures.get("a").isSuccess());
        assertInstanceOf(ClosedChannelException.class, futures.get("c").getCause());
        assertEquals(List.of(thrown), channel.takeCaught());
    }

    @Test
    void shouldSendASubstituteForAFailedRequestAndContinue() {
        MemoryChannel channel = connectWithSubstitute("500");
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive("a");
        channel.receive((Request) e -> {
            futures.put("half", e.getChannel().write("half"));
            throw new RuntimeException("meant");
        });
        channel.receive("c");
        executor.run(2);
        executor.run(1);
        assertEquals("meant", futures.get("half").getCause().getMessage());
        executor.run(0);
        assertEquals(List.of("a", "500", "c"), channel.takeWritten());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldCloseWhenAnAnswerBreaksOffInTheMiddle() {
        MemoryChannel channel = connectWithSubstitute("500");
        channel.receive((Request) e -> {
            e.getChannel().write("half");
            throw new RuntimeException("meant");
        });
        executor.runAll();
        assertEquals(List.of("half"), channel.takeWritten());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldUseWritesFromExceptionCaughtAsTheAnswer() {
        MemoryChannel channel = connect();
        business.onException = nothing -> channel.write("sorry");
        channel.receive("a");
        channel.receive(throwing(new RuntimeException("meant")));
        channel.receive("c");
        executor.run(1);
        executor.run(1);
        executor.run(0);
        assertEquals(List.of("a", "sorry", "c"), channel.takeWritten());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldCloseInTurnWhenExceptionCaughtCloses() {
        MemoryChannel channel = connect();
        business.onException = nothing -> channel.close();
        channel.receive("a");
        channel.receive(throwing(new RuntimeException("meant")));
        executor.run(1);
        assertTrue(channel.isOpen());
        executor.run(0);
        assertEquals(List.of("a"), channel.takeWritten());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseInTurnWhenARequestCloses() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive((Request) e -> {
            e.getChannel().write("bye");
            e.getChannel().close();
        });
        channel.receive("c");
        executor.run(2);
        executor.run(1);
        assertTrue(channel.isOpen());
        executor.run(0);
        assertEquals(List.of("a", "bye"), channel.takeWritten());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFailOnlyTheRequestThatTimesOut() {
        MemoryChannel channel = connectWithSubstitute("504");
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive(writing(futures, "late"));
        timer.advanceMillis(TIMEOUT_MILLIS / 2);
        channel.receive("b");
        executor.run(1);
        timer.advanceMillis(TIMEOUT_MILLIS / 2 - 1);
        assertEquals(List.of(), channel.takeWritten());
        timer.advanceMillis(1);
        assertEquals(List.of("504", "b"), channel.takeWritten());
        assertInstanceOf(AnswerTimeoutException.class, channel.takeCaught().get(0));
        executor.runAll();
        assertTrue(futures.isEmpty(), "a request that timed out before it began");
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldRefuseWritesOfARequestThatHasTimedOut() {
        MemoryChannel channel = connectWithSubstitute("504");
        PipelinedAnswer[] answer = new PipelinedAnswer[1];
        channel.receive((Request) e -> answer[0] = PipelinedAnswer.current().defer());
        executor.runAll();
        timer.advanceMillis(TIMEOUT_MILLIS);
        assertInstanceOf(AnswerTimeoutException.class, answer[0].write("late").getCause());
        answer[0].end();
        assertEquals(List.of("504"), channel.takeWritten());
        assertTrue(answer[0].isEnded());
    }

    @Test
    void shouldCloseWhenThereIsNoAnswerInTime() {
        MemoryChannel channel = connect();
        channel.receive((Request) e -> PipelinedAnswer.current().defer());
        executor.runAll();
        timer.advanceMillis(TIMEOUT_MILLIS);
        assertFalse(channel.isOpen());
        assertInstanceOf(AnswerTimeoutException.class, channel.takeCaught().get(0));
    }

    @Test
    void shouldFailAnAnswerOnDemand() {
        MemoryChannel channel = connectWithSubstitute("500");
        RuntimeException cause = new RuntimeException("meant");
        channel.receive((Request) e -> PipelinedAnswer.current().defer().fail(cause));
        channel.receive("b");
        executor.runAll();
        assertEquals(List.of("500", "b"), channel.takeWritten());
        assertEquals(List.of(cause), channel.takeCaught());
    }

    @Test
    void shouldFailARequestThatTheExecutorRefuses() {
        MemoryChannel channel = MemoryChannel.connected(
                handler(
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        10,
                        1000),
                business);
        channel.receive("a");
        assertInstanceOf(RejectedExecutionException.class, channel.takeCaught().get(0));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFailARequestThatTheTimerRefuses() {
        MemoryChannel channel = connect();
        timer.stop();
        channel.receive("a");
        assertInstanceOf(IllegalStateException.class, channel.takeCaught().get(0));
        assertFalse(channel.isOpen());
    }

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

    @Test
    void shouldFailAllWritesWhenAFutureThrows() {
        MemoryChannel channel = connect();
        List<ChannelFuture> futures = new ArrayList<>();
        channel.receive((Request) e -> PipelinedAnswer.current().defer());
        channel.receive((Request) e -> {
            ChannelFuture throwing = new DefaultChannelFuture(e.getChannel(), false) {
                @Override
                public boolean setFailure(Throwable cause) {
                    throw new IllegalStateException("thrown on purpose");
                }
            };
            e.getChannel()
                    .getPipeline()
                    .sendDownstream(new DownstreamMessageEvent(e.getChannel(), throwing, "b", null));
            futures.add(e.getChannel().write("c"));
        });
        executor.runAll();
        try (CapturedLog log = CapturedLog.start()) {
            channel.close();
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
        assertInstanceOf(ClosedChannelException.class, futures.get(0).getCause());
    }

    @Test
    void shouldAnswerEvenIfTheTimerFailsToCancel() {
        Timer broken = new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                return new BrokenTimeout(this, task);
            }

            @Override
            public Set<Timeout> stop() {
                return Set.of();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new PipelinedExecutionHandler(executor, broken), business);
        try (CapturedLog log = CapturedLog.start()) {
            channel.receive("a");
            channel.receive("b");
            executor.runAll();
            assertEquals(2, log.messages(InternalLogLevel.WARN).size());
        }
        assertEquals(List.of("a", "b"), channel.takeWritten());
    }

    private record BrokenTimeout(Timer getTimer, TimerTask getTask) implements Timeout {
        @Override
        public boolean isExpired() {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void cancel() {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    @Test
    void shouldCloseWhenAHandlerBelowCannotSendAPart() {
        SimpleChannelDownstreamHandler encoder = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                throw new IllegalArgumentException("cannot encode");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(encoder, handler(executor, 10, 1000), business);
        channel.receive("a");
        executor.runAll();
        assertFalse(channel.isOpen());
    }

    // ---- closing ----

    @Test
    void shouldCompleteEveryFutureWhenTheChannelClosesInMidFlight() {
        MemoryChannel channel = connect().holdWrites();
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive(writing(futures, "a1", "a2"));
        channel.receive((Request) e -> {});
        channel.receive(writing(futures, "c"));
        channel.receive(writing(futures, "d"));
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        channel.receive(writing(futures, "f"));
        executor.run(5);
        executor.run(4);
        executor.run(2);
        executor.run(0);
        futures.put("e", first[0].write("e"));
        channel.close();
        executor.runAll();
        futures.put("late", first[0].write("late"));
        first[0].end();
        assertEquals(7, futures.size());
        futures.forEach((name, future) ->
                assertInstanceOf(ClosedChannelException.class, future.getCause(), "write of " + name));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStillRunRequestsThatWereReceivedBeforeTheClose() {
        MemoryChannel channel = MemoryChannel.connected(handler(executor, 1, 1000), business);
        List<String> handled = new ArrayList<>();
        channel.receive((Request) e -> handled.add("a"));
        channel.receive((Request) e -> handled.add("b"));
        channel.close();
        assertEquals(1, executor.size());
        executor.runAll();
        assertEquals(List.of("a", "b"), handled);
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

    // ---- its position in the pipeline ----

    @Test
    void shouldServeManyChannels() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel one = MemoryChannel.connected(handler, business);
        MemoryChannel other = MemoryChannel.connected(handler);
        one.receive((Request) e -> {
            e.getChannel().write("to myself");
            other.write("to the other");
            throw new RuntimeException("meant");
        });
        executor.runAll();
        assertEquals(List.of("to the other"), other.takeWritten());
        assertTrue(other.isOpen());
        assertFalse(one.isOpen());
    }

    @Test
    void shouldAnswerAcceptedRequestsAfterItWasRemoved() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel channel = MemoryChannel.connected(handler, business);
        channel.receive("a");
        channel.receive("b");
        executor.run(1);
        channel.getPipeline().remove(handler);
        channel.receive("c");
        assertEquals(List.of("c"), channel.takeWritten());
        executor.runAll();
        assertEquals(2, channel.takeWritten().size());
    }

    @Test
    void shouldResumeReadingAndRunAcceptedRequestsIfRemovedWhileThePeerDidNotRead() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel channel = MemoryChannel.connected(handler, business);
        channel.receive("a");
        channel.turnWritable(false);
        channel.receive("b");
        assertFalse(channel.isReadable());
        channel.getPipeline().remove(handler);
        assertTrue(channel.isReadable());
        executor.runAll();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        channel.turnWritable(true);
        channel.turnWritable(false);
        assertTrue(channel.isReadable());
        assertEquals(0, timer.pendingTimeouts());
        channel.close(); // with what it counts in the memory budget
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

    @Test
    void shouldFailATimedOutRequestEvenIfMemoryRunsOutAtFirst() {
        MemoryChannel channel = connectWithSubstitute("504");
        channel.receive((Request) e -> PipelinedAnswer.current().defer());
        executor.runAll();
        channel.scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> timer.advanceMillis(TIMEOUT_MILLIS));
        Await.until(() -> channel.takeWritten().equals(List.of("504")), "the substitute");
    }
}
