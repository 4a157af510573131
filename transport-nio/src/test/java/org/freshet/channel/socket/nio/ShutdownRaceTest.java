package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Factories released while threads make every kind of request on channels. Looks for a future that completes twice or
 * never, a channel that stays open, a release that does not return.
 */
class ShutdownRaceTest {
    private static final int THREADS = 4;

    @RepeatedTest(20)
    void shouldCompleteEveryFutureOnceWhenTheLoopsStopDuringOperations(RepetitionInfo repetition) {
        Rig rig = new Rig();
        Channel server = rig.bind(new Echo());
        Queue<Completion> completions = new ConcurrentLinkedQueue<>();
        CountDownLatch started = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            Random random = Seeds.random(THREADS * repetition.getCurrentRepetition() + t);
            threads.add(new Thread(() -> {
                User user = new User(rig, server, random, completions);
                user.connect();
                started.countDown();
                user.actUntilShutdown();
            }));
        }
        threads.forEach(Thread::start);
        Await.latch(started, "the start of the threads");
        Random random = Seeds.random(repetition.getCurrentRepetition());
        for (int spin = random.nextInt(100_000); spin > 0; spin--) {
            Thread.onSpinWait();
        }
        rig.close();
        threads.forEach(Await::end);
        for (Completion completion : completions) {
            Await.until(() -> completion.count.get() > 0, () -> "the end of " + completion);
            assertEquals(1, completion.count.get(), completion::toString);
        }
    }

    private record Completion(String operation, ChannelFuture future, AtomicInteger count) {
        static Completion of(String operation, ChannelFuture future) {
            Completion completion = new Completion(operation, future, new AtomicInteger());
            future.addListener(f -> completion.count.incrementAndGet());
            return completion;
        }
    }

    /** A thread with its own channels that performs random operations on them. */
    private static final class User {
        private final Rig rig;
        private final Channel server;
        private final Random random;
        private final Queue<Completion> completions;
        private Channel channel;

        User(Rig rig, Channel server, Random random, Queue<Completion> completions) {
            this.rig = rig;
            this.server = server;
            this.random = random;
            this.completions = completions;
        }

        void connect() {
            channel = rig.clients.newChannel(Channels.pipeline(new Discard()));
            completions.add(Completion.of("closeFuture", channel.getCloseFuture()));
            completions.add(Completion.of("connect", channel.connect(server.getLocalAddress())));
        }

        void actUntilShutdown() {
            try {
                for (int i = 0; i < 20_000; i++) {
                    act();
                }
            } catch (IllegalStateException shutDown) {
                // newChannel() was refused; earlier futures must be complete
                completions.add(Completion.of("write after the end", channel.write(wrappedBuffer(new byte[1]))));
            }
        }

        private void act() {
            switch (random.nextInt(20)) {
                case 0 -> connect();
                case 1 -> add("bind", channel.bind(Rig.FREE_PORT));
                case 2 -> add("setReadable", channel.setReadable(random.nextBoolean()));
                case 3 -> add("execute", channel.getPipeline().execute(() -> {}));
                case 4 -> add("close", random.nextBoolean() ? channel.close() : channel.disconnect());
                case 5 -> add("server write", server.write(wrappedBuffer(new byte[1])));
                default -> add("write", channel.write(wrappedBuffer(new byte[random.nextInt(3000)])));
            }
        }

        private void add(String operation, ChannelFuture future) {
            completions.add(Completion.of(operation, future));
        }
    }

    @Sharable
    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private static final class Discard extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }
}
