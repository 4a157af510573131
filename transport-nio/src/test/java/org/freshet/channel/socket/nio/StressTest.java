package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Races, each with the wrong outcome that it looks for. */
class StressTest {
    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    /**
     * Looks for a task submitted between the loop's last check of its tasks and its wait that is never run, so that the
     * test's wait for it never ends.
     */
    @Test
    void shouldRunATaskSubmittedWhileTheLoopFallsAsleep() {
        NioWorkerPool workers = new NioWorkerPool(Executors.newCachedThreadPool(), 1);
        NioWorker worker = workers.nextWorker();
        Random random = Seeds.random();
        for (int i = 0; i < 50_000; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            worker.executeInIoThread(ran::countDown);
            Await.latch(ran, "task " + i);
            for (int spin = random.nextInt(200); spin > 0; spin--) {
                Thread.onSpinWait();
            }
        }
        workers.releaseExternalResources();
    }

    /** Looks for a future that completes twice, never, or successfully after a failed one of its thread. */
    @Test
    void shouldCompleteEveryWriteOnceWhenThreadsWriteAgainstAClose() throws Exception {
        int rounds = 60;
        int threads = 4;
        int each = 200;
        Channel server = rig.bind(new Discard());
        Random random = Seeds.random();
        for (int round = 0; round < rounds; round++) {
            Channel client = rig.connected(server, new Discard());
            AtomicIntegerArray completions = new AtomicIntegerArray(threads * each);
            List<ChannelFuture> futures = Collections.synchronizedList(new ArrayList<>());
            CyclicBarrier start = new CyclicBarrier(threads + 1);
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                writers.add(new Thread(() -> {
                    await(start);
                    for (int i = first; i < first + each; i++) {
                        int index = i;
                        ChannelFuture future = client.write(wrappedBuffer(new byte[100]));
                        future.addListener(f -> completions.incrementAndGet(index));
                        futures.add(future);
                    }
                }));
            }
            writers.forEach(Thread::start);
            await(start);
            for (int spin = random.nextInt(20_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            Await.success(client.close(), "the close");
            writers.forEach(Await::end);
            // Threads that await a future are woken before its listeners are called.
            Await.until(() -> futures.stream().allMatch(ChannelFuture::isDone), "the end of every write");
            for (int i = 0; i < completions.length(); i++) {
                int index = i;
                Await.until(() -> completions.get(index) > 0, "the listener of write " + i);
                assertEquals(1, completions.get(i), "completions of write " + i + " in round " + round);
            }
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Looks for a missing or repeated channelClosed, or a pending close future, when threads close at any point. */
    @Test
    void shouldCloseOnceWhicheverThreadClosesAndWhenever() {
        int rounds = 300;
        CloseCounter counter = new CloseCounter();
        Channel server = rig.bind(counter);
        Random random = Seeds.random();
        for (int i = 0; i < rounds; i++) {
            ChannelFuture connect = rig.connect(server, counter);
            Channel client = connect.getChannel();
            Thread closer = new Thread(client::close);
            for (int spin = random.nextInt(3000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            closer.start();
            client.write(copiedBuffer("close", US_ASCII));
            client.close();
            Await.done(connect, "the connect");
            Await.success(client.getCloseFuture(), "the close");
            Await.end(closer);
        }
        Await.until(() -> counter.open.get() == counter.closed.get(), "as many closed as open events");
        assertTrue(counter.open.get() >= rounds);
        assertEquals(0, counter.doubleCloses.get());
    }

    /** Looks for a leaked descriptor, key or thread; the leak check runs at the end of the class. */
    @Test
    void shouldLeakNothingAfterTwentyThousandConnections() throws Exception {
        int connections = 20_000;
        CloseCounter counter = new CloseCounter();
        Channel server = rig.bind(() -> Channels.pipeline(counter), Map.of("backlog", 1024));
        for (int i = 0; i < connections; i++) {
            try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                client.setOption(StandardSocketOptions.SO_LINGER, i % 2 == 0 ? 0 : -1); // resets and ends in turn
            }
        }
        Await.until(() -> counter.closed.get() == connections, () -> counter.closed + " of " + connections + " closed");
        assertEquals(connections, counter.open.get());
        assertEquals(0, counter.doubleCloses.get());
    }

    @Sharable
    private static final class Discard extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    @Sharable
    private static final class CloseCounter extends SimpleChannelUpstreamHandler {
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final AtomicInteger doubleCloses = new AtomicInteger();

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            open.incrementAndGet();
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().close();
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closed.incrementAndGet();
            if (ctx.getAttachment() != null) {
                doubleCloses.incrementAndGet();
            }
            ctx.setAttachment("closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }
}
