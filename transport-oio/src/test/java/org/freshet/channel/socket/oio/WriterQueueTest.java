package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue with a target that the test controls. */
class WriterQueueTest {
    /** Needed only because futures have a channel. */
    private final Channel channel =
            new DefaultLocalClientChannelFactory().newChannel(Channels.pipeline(new Recorder()));

    private final Target target = new Target();
    private final WriterQueue queue = new WriterQueue(target, new SerialExecutor());

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    /** Records what it is given; can be made to block and to fail. */
    private static final class Target implements WriterQueue.Target {
        final List<Long> lengths = new CopyOnWriteArrayList<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        final List<Thread> writers = new CopyOnWriteArrayList<>();

        /** A message of this length blocks here until the test releases it. */
        static final long BLOCKING_LENGTH = 1000;

        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);

        volatile Throwable next;
        volatile Error thrownOnFailure;
        volatile boolean closed;

        @Override
        public void onLeft(OutgoingMessage message) {}

        @Override
        public Exception refusal(OutgoingMessage message) {
            return closed ? new ClosedChannelException() : null;
        }

        @Override
        public void send(OutgoingMessage message) throws IOException {
            if (message.length() == BLOCKING_LENGTH) {
                blocked.countDown();
                Await.latch(released, "the test to release the writer");
            }
            if (next instanceof IOException e) {
                throw e;
            } else if (next instanceof Error e) {
                throw e;
            }
            lengths.add(message.length());
            writers.add(Thread.currentThread());
        }

        @Override
        public void onSendFailed(Throwable cause) {
            failures.add(cause);
            closed = true;
            if (thrownOnFailure != null) {
                throw thrownOnFailure;
            }
        }
    }

    private record Write(QueuedWrite message, ChannelFuture future) {}

    private Write write(int length) {
        ChannelFuture future = Channels.future(channel);
        return new Write(
                QueuedWrite.of(new DownstreamMessageEvent(
                        channel, future, ChannelBuffers.wrappedBuffer(new byte[length]), null)),
                future);
    }

    @Test
    void shouldSendImmediatelyWhileNoOtherThreadDoes() {
        Write write = write(5);
        assertEquals(5, queue.send(write.message));
        assertTrue(write.future.isSuccess());
        assertEquals(List.of(5L), target.lengths);
        assertFalse(queue.isWriter());
    }

    @Test
    void shouldMakeThreadsWaitInTheOrderOfTheirCalls() {
        List<Thread> threads = new ArrayList<>();
        List<ChannelFuture> futures = new ArrayList<>();
        Thread first = new Thread(() -> queue.send(write((int) Target.BLOCKING_LENGTH).message));
        first.start();
        Await.latch(target.blocked, "the first write");
        for (int i = 1; i <= 5; i++) {
            Write write = write(i);
            futures.add(write.future);
            Thread thread = new Thread(() -> queue.send(write.message));
            threads.add(thread);
            thread.start();
            Await.until(() -> thread.getState() == Thread.State.WAITING, "writer " + i + " to wait");
        }
        assertTrue(futures.stream().noneMatch(ChannelFuture::isDone));
        target.released.countDown();
        threads.forEach(Await::end);
        Await.end(first);
        assertEquals(List.of(Target.BLOCKING_LENGTH, 1L, 2L, 3L, 4L, 5L), target.lengths);
        assertTrue(futures.stream().allMatch(ChannelFuture::isSuccess));
    }

    @Test
    void shouldNotMakeAThreadSendForLaterWriters() {
        Thread first = new Thread(() -> queue.send(write((int) Target.BLOCKING_LENGTH).message));
        first.start();
        Await.latch(target.blocked, "the first write");
        Thread second = new Thread(() -> queue.send(write(1).message));
        second.start();
        Await.until(() -> second.getState() == Thread.State.WAITING, "the second writer to wait");
        target.released.countDown();
        Await.end(first);
        Await.end(second);
        assertEquals(List.of(first, second), target.writers);
    }

    @Test
    void shouldSendAListenersWritesAfterTheListenerHasReturned() {
        List<String> order = new ArrayList<>();
        Write outer = write(1);
        Write inner = write(2);
        outer.future.addListener(done -> {
            assertTrue(queue.isWriter());
            assertEquals(0, queue.send(inner.message));
            order.add("listener, " + target.lengths);
        });
        inner.future.addListener(done -> order.add("inner"));
        assertEquals(3, queue.send(outer.message));
        assertEquals(List.of("listener, [1]", "inner"), order);
    }

    @Test
    void shouldFailWritesAfterABrokenMessage() {
        IOException cause = new IOException("broken pipe");
        target.next = cause;
        Write broken = write(1);
        Write later = write(2);
        assertEquals(0, queue.send(broken.message));
        assertSame(cause, broken.future.getCause());
        queue.send(later.message);
        assertInstanceOf(ClosedChannelException.class, later.future.getCause());
        assertEquals(List.of(cause), target.failures);
    }

    @Test
    void shouldStayUsableAfterAnError() {
        Error error = new StackOverflowError();
        target.next = error;
        Write broken = write(1);
        queue.send(broken.message);
        assertSame(error, broken.future.getCause());
        assertFalse(queue.isWriter());
        target.next = null;
        target.closed = false;
        assertEquals(2, queue.send(write(2).message));
    }

    /** For example when memory runs out: the other writers must not wait forever. */
    @Test
    void shouldContinueWhenTheTargetThrowsWhileNotifiedOfAFailure() {
        IOException cause = new IOException("broken pipe");
        target.next = cause;
        target.thrownOnFailure = new AssertionError("thrown on purpose");
        Write broken = write(1);
        try (CapturedLog log = CapturedLog.start()) {
            queue.send(broken.message);
            assertSame(
                    target.thrownOnFailure,
                    log.messages(InternalLogLevel.ERROR).get(0).cause());
        }
        assertSame(cause, broken.future.getCause());
        assertFalse(queue.isWriter());
        target.next = null;
        target.closed = false;
        assertEquals(2, queue.send(write(2).message));
    }

    @Test
    void shouldCloseAfterTheWritesOfTheListenerThatRequestsIt() {
        Write first = write(1);
        Write second = write(2);
        Write third = write(3);
        first.future.addListener(done -> {
            queue.send(second.message);
            queue.enqueue(QueuedWrite.action(() -> target.closed = true));
            queue.send(third.message);
            assertFalse(target.closed);
        });
        queue.send(first.message);
        assertTrue(second.future.isSuccess());
        assertInstanceOf(ClosedChannelException.class, third.future.getCause());
    }

    @Test
    void shouldReachAPositionWhenEverythingBeforeItWasSent() {
        Thread first = new Thread(() -> queue.send(write((int) Target.BLOCKING_LENGTH).message));
        first.start();
        Await.latch(target.blocked, "the first write");
        Thread waiter = new Thread(() -> queue.send(QueuedWrite.marker()));
        waiter.start();
        Await.until(() -> waiter.getState() == Thread.State.WAITING, "the waiter to wait");
        assertEquals(List.of(), target.lengths);
        target.released.countDown();
        Await.end(waiter);
        assertEquals(List.of(Target.BLOCKING_LENGTH), target.lengths);
        Await.end(first);
    }

    @Test
    void shouldKeepAnInterruptOfAThreadThatWaits() {
        Thread first = new Thread(() -> queue.send(write((int) Target.BLOCKING_LENGTH).message));
        first.start();
        Await.latch(target.blocked, "the first write");
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        Thread second = new Thread(() -> {
            Thread.currentThread().interrupt();
            queue.send(write(1).message);
            interrupted.add(Thread.interrupted());
        });
        second.start();
        Await.until(() -> second.getState() == Thread.State.WAITING, "the second writer to wait");
        target.released.countDown();
        Await.end(first);
        Await.end(second);
        assertEquals(List.of(true), interrupted);
    }

    /** Every message is sent once, in the order of each thread, and counted once. */
    @Test
    void shouldLoseNothingWhenManyThreadsWrite() {
        int writers = 4;
        int messages = 20_000;
        AtomicLong reported = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        CountingTarget counting = new CountingTarget();
        WriterQueue shared = new WriterQueue(counting, new SerialExecutor());
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < messages; i++) {
                    Write write = write(1);
                    reported.addAndGet(shared.send(write.message));
                    if (!write.future.isSuccess()) {
                        failed.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        threads.forEach(Await::end);
        assertEquals(writers * messages, reported.get());
        assertEquals(writers * messages, counting.sent);
        assertEquals(0, failed.get());
    }

    /** Would lose count if two threads wrote at the same time. */
    private static final class CountingTarget implements WriterQueue.Target {
        private long sent;

        @Override
        public void onLeft(OutgoingMessage message) {}

        @Override
        public Exception refusal(OutgoingMessage message) {
            return null;
        }

        @Override
        public void send(OutgoingMessage message) {
            sent++;
        }

        @Override
        public void onSendFailed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
