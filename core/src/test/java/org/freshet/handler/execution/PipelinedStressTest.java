package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random requests of all kinds on real threads. */
class PipelinedStressTest {
    private static final int CHANNELS = 4;
    private static final int REQUESTS = 3000;
    private static final int MAX_IN_FLIGHT = 16;

    private final HashedWheelTimer timer = new HashedWheelTimer();

    static Stream<ExecutorService> executors() {
        return Stream.concat(Stream.of(Executors.newFixedThreadPool(6)), VirtualThreads.newExecutor().stream());
    }

    private record Part(int request, int part, int of) {}

    @AfterEach
    void stopTimer() {
        timer.stop();
    }

    /** Answers a number with one to three parts, in one of many ways. */
    private static final class Business extends SimpleChannelUpstreamHandler {
        final ExecutorService others;
        final Queue<ChannelFuture> futures = new ConcurrentLinkedQueue<>();
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger mostRunning = new AtomicInteger();
        final CountDownLatch handled = new CountDownLatch(REQUESTS);

        Business(ExecutorService others) {
            this.others = others;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                handle(e, (Integer) e.getMessage());
            } finally {
                running.decrementAndGet();
                handled.countDown();
            }
        }

        private void handle(MessageEvent e, int number) {
            Random random = Seeds.random(number);
            int parts = 1 + random.nextInt(3);
            switch (random.nextInt(6)) {
                case 0 -> throw new IllegalStateException("request " + number);
                case 1 -> {
                    PipelinedAnswer answer = PipelinedAnswer.current().defer();
                    others.execute(() -> {
                        write(answer, number, parts);
                        answer.end();
                    });
                }
                case 2 -> PipelinedAnswer.current().defer().fail(new IllegalStateException("request " + number));
                case 3 -> {
                    Thread.yield();
                    write(PipelinedAnswer.current(), number, parts);
                }
                default -> {
                    for (int i = 0; i < parts; i++) {
                        futures.add(e.getChannel().write(new Part(number, i, parts)));
                    }
                }
            }
        }

        private void write(PipelinedAnswer answer, int number, int parts) {
            for (int i = 0; i < parts; i++) {
                futures.add(answer.write(new Part(number, i, parts)));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            // the test looks at the substitute
        }
    }

    private MemoryChannel connect(ExecutorService executor, Business business) {
        PipelinedExecutionHandler handler =
                new PipelinedExecutionHandler(executor, timer, MAX_IN_FLIGHT, 1 << 20, Duration.ofSeconds(30)) {
                    @Override
                    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                        return new Part((Integer) request.getMessage(), 0, 1);
                    }
                };
        return MemoryChannel.connected(handler, business);
    }

    @ParameterizedTest
    @MethodSource("executors")
    void shouldAnswerEachRequestCompletelyAndInOrder(ExecutorService executor) throws InterruptedException {
        List<MemoryChannel> channels = new ArrayList<>();
        List<Business> all = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            all.add(new Business(executor));
            channels.add(connect(executor, all.get(i)));
        }
        for (int number = 0; number < REQUESTS; number++) {
            for (MemoryChannel channel : channels) {
                channel.receive(number);
            }
        }
        for (int i = 0; i < CHANNELS; i++) {
            List<Object> written = new ArrayList<>();
            MemoryChannel channel = channels.get(i);
            Await.until(
                    () -> {
                        written.addAll(channel.takeWritten());
                        return !written.isEmpty() && isLast((Part) written.get(written.size() - 1));
                    },
                    () -> "the last answer; so far " + written.size());
            checkOrder(written);
            assertTrue(all.get(i).mostRunning.get() <= MAX_IN_FLIGHT, "ran concurrently: " + all.get(i).mostRunning);
            Await.until(channel::isReadable, "reading");
            all.get(i).futures.forEach(future -> Await.success(future, "a write"));
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + executor);
    }

    @ParameterizedTest
    @MethodSource("executors")
    void shouldCompleteEveryFutureWhenClosedInMidFlight(ExecutorService executor) throws InterruptedException {
        Random random = Seeds.random();
        for (int round = 0; round < 5; round++) {
            Business business = new Business(executor);
            MemoryChannel channel = connect(executor, business);
            int closeAt = random.nextInt(REQUESTS);
            for (int number = 0; number < REQUESTS; number++) {
                channel.receive(number);
                if (number == closeAt) {
                    executor.execute(channel::close);
                }
            }
            Await.latch(business.handled, "requests to be handled");
            Await.until(() -> timer.pendingTimeouts() == 0, "time-outs to be cancelled");
            List<Object> written = channel.takeWritten();
            checkOrder(written);
            business.futures.forEach(future -> Await.done(future, "a write"));
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + executor);
    }

    private static boolean isLast(Part part) {
        return part.request == REQUESTS - 1 && part.part == part.of - 1;
    }

    private static void checkOrder(List<Object> written) {
        int request = 0;
        int next = 0;
        for (Object message : written) {
            Part part = (Part) message;
            assertEquals(request, part.request, "request");
            assertEquals(next, part.part, "part of the answer to " + request);
            next = part.part + 1 == part.of ? 0 : next + 1;
            request += next == 0 ? 1 : 0;
        }
    }
}
