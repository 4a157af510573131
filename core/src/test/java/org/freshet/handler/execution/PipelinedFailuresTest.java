package org.freshet.handler.execution;

import static org.freshet.handler.execution.TaskRunner.throwing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Requests that fail more than once, events that belong to no request, and writes that are refused. */
class PipelinedFailuresTest {
    private static final Duration TIMEOUT = Duration.ofMillis(1000);

    private final TaskQueue executor = new TaskQueue();
    private final FakeTimer timer = new FakeTimer();
    private final Business business = new Business();
    private PipelinedAnswer answer;

    private static final class Business extends TaskRunner {
        Runnable onException = () -> {};

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            ctx.sendUpstream(e);
            onException.run();
        }
    }

    /** Answers a failed request with the message of its failure. */
    private PipelinedExecutionHandler handler(Executor executor, int maxInFlight) {
        return new PipelinedExecutionHandler(executor, timer, maxInFlight, 1 << 20, TIMEOUT) {
            @Override
            protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                return "failed: " + cause.getMessage();
            }
        };
    }

    private MemoryChannel connect() {
        return MemoryChannel.connected(handler(executor, 100), business);
    }

    private Runnable deferring() {
        return () -> answer = PipelinedAnswer.current().defer();
    }

    private static List<String> messages(List<Throwable> caught) {
        return caught.stream().map(Throwable::getMessage).toList();
    }

    // ---- requests that fail ----

    @Test
    void shouldRunTheNextRequestAfterOneThatTheExecutorRefused() {
        boolean[] isFull = {true};
        Executor full = task -> {
            if (isFull[0]) {
                throw new RejectedExecutionException("full");
            }
            executor.execute(task);
        };
        MemoryChannel channel = MemoryChannel.connected(handler(full, 1), business);
        channel.receive("a");
        assertEquals(List.of("failed: full"), channel.takeWritten());
        isFull[0] = false;
        channel.receive("b");
        executor.runAll();
        assertEquals(List.of("b"), channel.takeWritten());
    }

    @Test
    void shouldFailOnceIfItIsToldToSeveralTimes() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        channel.holdTasks();
        answer.fail(new IllegalStateException("first"));
        answer.fail(new IllegalStateException("second"));
        channel.runTasks();
        assertEquals(List.of("first"), messages(channel.takeCaught()));
        assertEquals(List.of("failed: first"), channel.takeWritten());
    }

    @Test
    void shouldNotFailAgainWhileItsFailureIsHandled() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        business.onException = () -> answer.fail(new IllegalStateException("second"));
        answer.fail(new IllegalStateException("first"));
        assertEquals(List.of("first"), messages(channel.takeCaught()));
        assertEquals(List.of("failed: first"), channel.takeWritten());
    }

    /** It belongs to the code whose time is over. */
    @Test
    void shouldNotEndByItsFormerHandleWhileItsFailureIsHandled() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        business.onException = () -> answer.end();
        answer.fail(new IllegalStateException("first"));
        assertEquals(List.of("failed: first"), channel.takeWritten());
    }

    @Test
    void shouldAnswerWithTheFirstOfTwoFailures() {
        MemoryChannel channel = connect();
        channel.receive((Runnable) () -> {
            Channels.fireMessageReceived(channel.context(business), throwing("ignored"));
            throwing("first").run();
        });
        business.onException = throwing("second");
        try (CapturedLog log = CapturedLog.start()) {
            executor.runAll();
            assertFalse(log.messages().isEmpty());
        }
        assertEquals(List.of("failed: first"), channel.takeWritten());
    }

    /** Such as a constant without a stack trace. */
    @Test
    void shouldTellRequestsApartThatFailWithTheSameException() {
        MemoryChannel channel = connect();
        IllegalStateException same = new IllegalStateException("thrown twice");
        Runnable request = () -> {
            throw same;
        };
        business.onException = () -> channel.write("sorry");
        channel.receive("a");
        channel.receive(request);
        channel.receive(request);
        executor.run(1);
        executor.run(1);
        assertEquals(List.of(), channel.takeWritten(), "another answer is due before");
        executor.run(0);
        assertEquals(List.of("a", "sorry", "sorry"), channel.takeWritten());
        assertEquals(List.of(same, same), channel.takeCaught());
    }

    // ---- events that belong to no request ----

    @Test
    void shouldPassOnAnExceptionThatNoRequestCaused() {
        MemoryChannel channel = connect();
        channel.receive(deferring());
        executor.runAll();
        Channels.fireExceptionCaught(channel, new IllegalStateException("not of a request"));
        assertEquals(List.of("not of a request"), messages(channel.takeCaught()));
        assertFalse(answer.isEnded());
        answer.write("a");
        assertEquals(List.of("a"), channel.takeWritten());
    }

    @Test
    void shouldNotTakeAWriteForAnotherExceptionAsTheAnswerToAFailedRequest() {
        MemoryChannel channel = connect();
        business.onException = () -> channel.write("news");
        channel.receive("a");
        channel.receive(throwing("of the request"));
        channel.holdTasks();
        executor.run(1);
        Channels.fireExceptionCaught(channel, new IllegalStateException("not of a request"));
        assertEquals(List.of("news"), channel.takeWritten(), "it waits for no answer");
        channel.runTasks();
        assertEquals(List.of(), channel.takeWritten(), "the answer to the failed request waits for another");
        executor.runAll();
        channel.runTasks();
        assertEquals(List.of("a", "news"), channel.takeWritten());
    }

    @Test
    void shouldSendAWriteToAnotherChannelThatAnswersItsOwnRequests() {
        PipelinedExecutionHandler handler = handler(executor, 100);
        MemoryChannel one = MemoryChannel.connected(handler, business);
        MemoryChannel other = MemoryChannel.connected(handler, new Business());
        one.receive(deferring());
        executor.runAll();
        PipelinedAnswer ofOne = answer;
        other.receive(deferring());
        executor.runAll();
        ofOne.run(() -> other.write("news"));
        assertEquals(List.of("news"), other.takeWritten());
        assertEquals(List.of(), one.takeWritten());
    }

    @Test
    void shouldStayOpenIfAWriteThatIsNoAnswerFails() {
        SimpleChannelDownstreamHandler encoder = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                if (e.getMessage().equals("news")) {
                    throw new IllegalArgumentException("cannot encode");
                }
                super.writeRequested(ctx, e);
            }
        };
        MemoryChannel channel = MemoryChannel.connected(encoder, handler(executor, 10), business);
        channel.receive(deferring());
        executor.runAll();
        assertNotNull(channel.write("news").getCause());
        assertTrue(channel.isOpen());
        answer.write("a");
        assertEquals(List.of("a"), channel.takeWritten());
    }

    // ---- writes that are not sent ----

    @Test
    void shouldFailWritesAfterAnUnsentRequestToClose() {
        MemoryChannel channel = connect();
        List<ChannelFuture> writes = new ArrayList<>();
        channel.receive("a");
        channel.receive((Runnable) () -> {
            channel.close();
            writes.add(channel.write("after"));
        });
        executor.run(1);
        channel.close();
        assertInstanceOf(ClosedChannelException.class, writes.get(0).getCause());
    }

    @Test
    void shouldCloseWhenAPartOfAnAnswerIsRefused() {
        MemoryChannel channel = connect().limit(10_000);
        List<ChannelFuture> writes = new ArrayList<>();
        channel.receive("a");
        channel.receive((Runnable) () -> {
            writes.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[6000])));
            writes.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[6000])));
        });
        executor.run(1);
        assertNotNull(writes.get(1).getCause());
        assertTrue(channel.isOpen(), "another answer is due before");
        executor.run(0);
        assertEquals(2, channel.takeWritten().size());
        assertFalse(channel.isOpen());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldFailAWriteThatIsRefusedAndNoAnswer() {
        MemoryChannel channel = connect().limit(1000);
        channel.receive(deferring());
        executor.runAll();
        answer.write("part");
        channel.write(ChannelBuffers.wrappedBuffer(new byte[900]));
        ChannelFuture refused = channel.write(ChannelBuffers.wrappedBuffer(new byte[900]));
        assertNotNull(refused.getCause());
        assertFalse(channel.isOpen(), "which is what this channel does then");
        assertEquals(List.of("part"), channel.takeWritten());
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }
}
