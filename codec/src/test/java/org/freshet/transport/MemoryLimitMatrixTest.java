package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.execution.ChainedExecutor;
import org.freshet.handler.execution.ChannelUpstreamEventRunnableFilter;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.FairOrderedMemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.KeyedExecutor;
import org.freshet.handler.execution.MemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.util.EstimatableObjectWrapper;
import org.freshet.util.ObjectSizeEstimator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A client floods a server whose handler is sometimes slow: how many bytes wait in the executor. */
class MemoryLimitMatrixTest {
    private static final int FRAME = 1000;
    private static final int WRITE = 16 * FRAME;
    private static final int FRAMES = 4000;
    private static final int LIMIT = 64 * 1024;

    /** The most bytes in one read, plus the frame that it completes. */
    private static final int ONE_READ = 64 * 1024 + FRAME;

    /** The executor, and how its limit is set. */
    enum Kind {
        UNORDERED_CHANNEL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new MemoryAwareThreadPoolExecutor(
                        2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        UNORDERED_TOTAL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new MemoryAwareThreadPoolExecutor(
                        2, 0, LIMIT, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        ORDERED_CHANNEL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new OrderedMemoryAwareThreadPoolExecutor(
                        2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        ORDERED_TOTAL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new OrderedMemoryAwareThreadPoolExecutor(
                        2, 0, LIMIT, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        ORDERED_SET_LATER {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                OrderedMemoryAwareThreadPoolExecutor pool = new OrderedMemoryAwareThreadPoolExecutor(2, 0, 0);
                pool.setObjectSizeEstimator(estimator);
                pool.setMaxChannelMemorySize(LIMIT);
                return pool;
            }
        },
        FAIR_CHANNEL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new FairOrderedMemoryAwareThreadPoolExecutor(
                        2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        FAIR_TOTAL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new FairOrderedMemoryAwareThreadPoolExecutor(
                        2, 0, LIMIT, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
            }
        },
        KEYED_CHANNEL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new KeyedExecutor(threads, LIMIT, 0, estimator);
            }
        },
        KEYED_TOTAL {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new KeyedExecutor(threads, 0, LIMIT, estimator);
            }
        },
        CHAINED {
            @Override
            Executor make(ExecutorService threads, ObjectSizeEstimator estimator) {
                return new ChainedExecutor(
                        new ChannelUpstreamEventRunnableFilter(), ORDERED_CHANNEL.make(threads, estimator), threads);
            }
        };

        abstract Executor make(ExecutorService threads, ObjectSizeEstimator estimator);
    }

    static Stream<Arguments> scenarios() {
        return Arrays.stream(Pair.values())
                .flatMap(pair -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(pair, kind)));
    }

    /** Counts frames from when they enter the executor until they reach the handler. */
    private static final class Load extends SimpleChannelUpstreamHandler {
        final AtomicLong waitingBytes = new AtomicLong();
        final AtomicLong mostBytes = new AtomicLong();
        final AtomicInteger handled = new AtomicInteger();
        final AtomicBoolean allSent = new AtomicBoolean();
        final CountDownLatch done = new CountDownLatch(FRAMES);

        int estimate(Object task) {
            boolean isFrame = ((EstimatableObjectWrapper) task).unwrap() instanceof MessageEvent;
            if (!isFrame) {
                return 0;
            }
            mostBytes.accumulateAndGet(waitingBytes.addAndGet(FRAME), Math::max);
            return FRAME;
        }

        /** Sometimes takes so long that the client reaches the limit. */
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            waitingBytes.addAndGet(-FRAME);
            if (handled.incrementAndGet() % 100 == 0) {
                Await.until(() -> !e.getChannel().isReadable() || allSent.get(), "the limit");
            }
            done.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldBeAccurateToWithinOneRead(Pair pair, Kind kind) {
        Load load = new Load();
        ExecutorService threads = Executors.newCachedThreadPool();
        ExecutionHandler execution = new ExecutionHandler(kind.make(threads, load::estimate));
        try (Rig rig = pair.rig()) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(new FixedLengthFrameDecoder(FRAME), execution, load));
            Channel server = rig.server().bind(pair.freeAddress());
            flood(rig.connect(server.getLocalAddress()));
            load.allSent.set(true);
            Await.latch(load.done, "all frames");
        } finally {
            execution.releaseExternalResources();
            threads.shutdown();
        }
        assertTrue(load.mostBytes.get() <= LIMIT + ONE_READ, "waiting bytes: " + load.mostBytes);
    }

    private static void flood(Channel client) {
        ChannelBuffer frames = wrappedBuffer(new byte[WRITE]);
        for (int sent = 0; sent < FRAMES * FRAME; sent += WRITE) {
            Await.success(client.write(frames.duplicate()), "a write");
        }
    }
}
