package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.IoThreads;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes that an executor passes on: which of them may wait for space, and those that come when the channel is closed. */
class MovedWritesTest {
    private static final int LIMIT = 100 * 1024;

    /** Two of them exceed the limit. */
    private static final int BYTES = 60 * 1024;

    private final TaskQueue executor = new TaskQueue();
    private final List<ChannelFuture> writes = new ArrayList<>();

    /** Writes twice for each message. */
    private final ExecutionHandler handler = new ExecutionHandler(executor, true, true);

    private final MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            writeTwice();
        }
    });

    @AfterEach
    void close() {
        channel.close();
        executor.runAll();
    }

    private void writeTwice() {
        for (int i = 0; i < 2; i++) {
            writes.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[BYTES])));
        }
    }

    /** It may be the only thread that could make space. */
    @Test
    void shouldCloseInsteadOfBlockingAThreadOfTheSameExecutor() {
        executor.runAll();
        channel.limit(LIMIT, WriteOverflow.BLOCK);
        channel.receive("write");
        List<Boolean> isIoThread = new ArrayList<>();
        Thread worker = new Thread(() -> {
            executor.run(0);
            isIoThread.add(IoThreads.isCurrent());
        });
        worker.start();
        Await.end(worker);
        assertEquals(List.of(false), isIoThread, "afterwards it may block again");
        assertTrue(writes.get(1).isDone());
        executor.runAll();
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    @Test
    void shouldStayAnIoThreadAfterAWriteThatMustNotBlock() {
        executor.runAll();
        channel.limit(LIMIT, WriteOverflow.BLOCK);
        channel.receive("write");
        IoThreads.begin();
        try {
            executor.run(0);
            assertTrue(IoThreads.isCurrent());
        } finally {
            IoThreads.end();
        }
    }

    @Test
    void shouldBlockOtherThreadsUntilTheExecutorHasPassedOnEnough() {
        executor.runAll();
        channel.limit(LIMIT, WriteOverflow.BLOCK);
        Thread writer = new Thread(this::writeTwice);
        writer.start();
        Await.waiting(writer, "the thread that needs space");
        assertEquals(1, executor.size());
        executor.runAll();
        Await.end(writer);
        executor.runAll();
        assertTrue(writes.stream().allMatch(ChannelFuture::isSuccess));
        assertEquals(2, channel.takeWritten().size());
        assertEquals(0, handler.heldBytes(channel));
    }

    @Test
    void shouldFailAWriteToAClosedChannelWithoutTheExecutor() {
        channel.close();
        executor.runAll();
        ChannelFuture late = channel.write("late");
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        assertEquals(0, executor.size());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldNotGiveTheExecutorAWriteThatIsRefused() {
        executor.runAll();
        channel.limit(LIMIT, WriteOverflow.FAIL);
        writeTwice();
        assertInstanceOf(WriteOverflowException.class, writes.get(1).getCause());
        assertEquals(1, executor.size());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldReleaseAWriteOnceIfTheExecutorThrowsAfterItHasRun() {
        MemoryChannel other = MemoryChannel.connected(new ExecutionHandler(
                task -> {
                    task.run();
                    throw new RejectedExecutionException("after the task");
                },
                true,
                false));
        other.holdWrites();
        other.write(ChannelBuffers.wrappedBuffer(new byte[BYTES]));
        assertEquals(1, other.unansweredWrites());
        assertEquals(WriteAccount.costOf(BYTES), WriteAccount.waitingBytes(other), "by the transport");
        other.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(other));
    }

    /** The handlers below have it, and complete its future. */
    @Test
    void shouldNotFailAWriteThatLeavesWhileTheOthersFail() {
        List<MessageEvent> below = new ArrayList<>();
        ExecutionHandler moving = new ExecutionHandler(executor, true, false);
        MemoryChannel other = MemoryChannel.connected(
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                        below.add(e);
                    }
                },
                moving);
        executor.runAll();
        List<ChannelFuture> both = List.of(other.write("one"), other.write("another"));
        both.forEach(write -> write.addListener(failed -> executor.runAll()));
        other.close();
        executor.run(2);
        assertEquals(1, below.size());
        assertFalse(below.get(0).getFuture().isDone());
        assertEquals(1, both.stream().filter(ChannelFuture::isDone).count());
        assertEquals(0, moving.heldBytes(other));
    }

    @Test
    void shouldForgetWritesThatItHasPassedOn() {
        executor.runAll();
        WeakReference<Object> message = new WeakReference<>(new Object());
        channel.write(message.get());
        executor.runAll();
        assertEquals(1, channel.takeWritten().size());
        channel.takeDownstream();
        channel.takeUpstream();
        Await.until(
                () -> {
                    System.gc();
                    return message.refersTo(null);
                },
                "the collection of the message");
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldHoldNothingForOtherChannels() {
        channel.write("held");
        MemoryChannel other = MemoryChannel.connected(handler);
        assertTrue(handler.heldBytes(channel) > 0);
        assertEquals(0, handler.heldBytes(other));
        assertEquals(0, handler.heldBytes("no channel"));
        executor.runAll();
        assertEquals(0, handler.heldBytes(channel));
    }
}
