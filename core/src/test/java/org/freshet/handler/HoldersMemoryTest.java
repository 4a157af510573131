package org.freshet.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.internal.write.DownstreamOrder;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/**
 * What every handler that holds output guarantees, at whatever point it meets an OutOfMemoryError: each write completes
 * once, the account is empty in the end, later messages pass, and none overtakes another.
 */
class HoldersMemoryTest {
    private static final int WRITES = 5;

    /** A holder, and the action that makes it send. */
    private record Holder(ChannelHandler handler, Runnable send) {}

    /** Runs writes through a holder that meets the error at each step in turn. */
    private static void assertKeptEverywhere(Function<Scarcity, Holder> holders) {
        boolean wasReached = true;
        int point = 0;
        while (wasReached) {
            Scarcity scarcity = Scarcity.later(point);
            assertKept(holders.apply(scarcity), scarcity, "memory runs out at step " + point);
            wasReached = scarcity.wasReached();
            point++;
        }
        assertTrue(point > 1, "nothing was injected");
    }

    private static void assertKept(Holder holder, Scarcity scarcity, String when) {
        MemoryChannel channel = MemoryChannel.connected(scarcity.sparedTransport(), holder.handler);
        List<ChannelFuture> writes = new ArrayList<>();
        List<AtomicInteger> completions = new ArrayList<>();
        channel.receive("what handlers need at the start");
        scarcity.begin();
        for (int i = 0; i < WRITES; i++) {
            MessageEvent write = scarcity.write(channel, message(i));
            AtomicInteger count = new AtomicInteger();
            write.getFuture().addListener(done -> count.incrementAndGet());
            completions.add(count);
            writes.add(write.getFuture());
            Scarcity.survive(() -> channel.getPipeline().sendDownstream(write));
        }
        Scarcity.survive(holder.send);
        scarcity.end();
        writes.add(channel.write(message(WRITES)));
        holder.send.run();
        writes.forEach(write -> assertTrue(write.isDone(), when));
        completions.forEach(count -> assertEquals(1, count.get(), when));
        assertTrue(writes.get(WRITES).isSuccess(), when);
        assertEquals(0, WriteAccount.waitingBytes(channel), when);
        assertOrder(channel, when);
        channel.close();
    }

    private static ChannelBuffer message(int number) {
        return ChannelBuffers.wrappedBuffer(new byte[] {(byte) number});
    }

    private static void assertOrder(MemoryChannel channel, String when) {
        ChannelBuffer sent = ChannelBuffers.dynamicBuffer();
        channel.takeWritten().forEach(message -> sent.writeBytes((ChannelBuffer) message));
        int before = -1;
        while (sent.readable()) {
            int number = sent.readByte();
            assertTrue(number > before, when + ": " + number + " was sent after " + before);
            before = number;
        }
        assertEquals(WRITES, before, when);
    }

    @Test
    void aChunkedWriteHandlerShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            ChunkedWriteHandler handler = new ChunkedWriteHandler();
            return new Holder(handler, handler::resumeTransfer);
        });
    }

    @Test
    void aBufferedWriteHandlerShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            BufferedWriteHandler handler = new BufferedWriteHandler();
            return new Holder(handler, handler::flush);
        });
    }

    @Test
    void aBufferedWriteHandlerThatConsolidatesShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            BufferedWriteHandler handler = new BufferedWriteHandler(true);
            return new Holder(handler, handler::flush);
        });
    }

    @Test
    void aBufferedWriteHandlerWithAQueueThatFailsShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            Queue<MessageEvent> queue = new ArrayBlockingQueue<>(100) {
                private static final long serialVersionUID = 1;

                @Override
                public boolean add(MessageEvent e) {
                    scarcity.step();
                    return super.add(e);
                }
            };
            BufferedWriteHandler handler = new BufferedWriteHandler(queue, true);
            return new Holder(handler, handler::flush);
        });
    }

    @Test
    void anExecutionHandlerShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            Queue<Runnable> tasks = new ArrayDeque<>();
            Runnable runAll = () -> {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    Scarcity.survive(task);
                }
            };
            return new Holder(new ExecutionHandler(scarcity.executor(tasks::add), true, false), runAll);
        });
    }

    @Test
    void aPipelinedExecutionHandlerShouldKeepIt() {
        assertKeptEverywhere(scarcity ->
                new Holder(new PipelinedExecutionHandler(scarcity.executor(Runnable::run), new FakeTimer()), () -> {}));
    }

    @Test
    void anOrderedEncoderShouldKeepIt() {
        assertKeptEverywhere(scarcity -> {
            DownstreamOrder order = new DownstreamOrder();
            ChannelDownstreamHandler handler = (ctx, e) -> {
                if (e instanceof MessageEvent) {
                    order.pass(e, () -> ctx.sendDownstream(e));
                } else {
                    ctx.sendDownstream(e);
                }
            };
            return new Holder(handler, () -> {});
        });
    }

    @Test
    void anInputThatFindsNoMemoryShouldKeepNothingFromBeingSent() {
        MemoryChannel channel = MemoryChannel.connected(new ChunkedWriteHandler());
        ChannelFuture failed = channel.write(new ChunkedInput() {
            @Override
            public boolean hasNextChunk() {
                return true;
            }

            @Override
            public Object nextChunk() {
                throw new OutOfMemoryError("injected by a test");
            }

            @Override
            public boolean isEndOfInput() {
                return false;
            }

            @Override
            public void close() {}
        });
        ChannelFuture next = channel.write(message(0));
        assertTrue(failed.isDone());
        assertTrue(next.isSuccess());
        assertEquals(0, WriteAccount.waitingBytes(channel));
        channel.close();
    }
}
