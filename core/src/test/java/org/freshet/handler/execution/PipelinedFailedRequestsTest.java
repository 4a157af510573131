package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.freshet.testing.UncancellableTimer;
import org.junit.jupiter.api.Test;

class PipelinedFailedRequestsTest extends PipelinedRequests {
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
        MemoryChannel channel =
                MemoryChannel.connected(new PipelinedExecutionHandler(executor, new UncancellableTimer()), business);
        try (CapturedLog log = CapturedLog.start()) {
            channel.receive("a");
            channel.receive("b");
            executor.runAll();
            assertEquals(2, log.messages(InternalLogLevel.WARN).size());
        }
        assertEquals(List.of("a", "b"), channel.takeWritten());
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
