package org.freshet.transport;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.Await;

/**
 * Makes two requests on a channel one after another, on chosen threads, while the channel's I/O thread is blocked. The
 * request that comes first on the clock must take effect first.
 */
enum TwoRequests {
    /** The reference: the second request is made when the first is done. */
    ONE_BY_ONE {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            throw new UnsupportedOperationException("waits for futures");
        }
    },
    FROM_ONE_THREAD {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            holding(channel, () -> {
                first.run();
                second.run();
            });
        }
    },
    FROM_TWO_THREADS {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            holding(channel, () -> {
                first.run();
                onAnotherThread(second);
            });
        }
    },
    FROM_A_THREAD_THEN_THE_IO_THREAD {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch made = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                Await.latch(held, "the hold of the I/O thread");
                first.run();
                made.countDown();
            });
            other.start();
            ChannelFuture done = channel.getPipeline().execute(() -> {
                held.countDown();
                Await.latch(made, "the first request");
                second.run();
            });
            Await.success(done, "the second request");
            Await.end(other);
        }
    },
    FROM_THE_IO_THREAD_THEN_ANOTHER {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            Await.success(
                    channel.getPipeline().execute(() -> {
                        first.run();
                        onAnotherThread(second);
                    }),
                    "both requests");
        }
    },
    FROM_THE_IO_THREAD {
        @Override
        void make(Channel channel, Runnable first, Runnable second) {
            Await.success(
                    channel.getPipeline().execute(() -> {
                        first.run();
                        second.run();
                    }),
                    "both requests");
        }
    };

    /** The outcome of a request: how it ended. */
    record Ends(String first, String second) {}

    abstract void make(Channel channel, Runnable first, Runnable second);

    /** Makes both and waits for both. */
    Ends make(
            Channel channel,
            Map.Entry<String, Function<Channel, ChannelFuture>> first,
            Map.Entry<String, Function<Channel, ChannelFuture>> second) {
        if (this == ONE_BY_ONE) {
            String firstEnd = end(request(channel, first));
            return new Ends(firstEnd, end(request(channel, second)));
        }
        AtomicReference<Object> firstResult = new AtomicReference<>();
        AtomicReference<Object> secondResult = new AtomicReference<>();
        make(channel, () -> firstResult.set(request(channel, first)), () -> secondResult.set(request(channel, second)));
        return new Ends(end(firstResult.get()), end(secondResult.get()));
    }

    private static Object request(Channel channel, Map.Entry<String, Function<Channel, ChannelFuture>> request) {
        try {
            return request.getValue().apply(channel);
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static String end(Object result) {
        if (result instanceof RuntimeException thrown) {
            return "threw " + thrown.getClass().getSimpleName();
        }
        Throwable cause =
                Await.done((ChannelFuture) result, "the end of a request").getCause();
        return cause == null ? "success" : cause.getClass().getSimpleName();
    }

    private static void holding(Channel channel, Runnable action) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Thread holder = new Thread(() -> channel.getPipeline().execute(() -> {
            held.countDown();
            Await.latch(released, "the release of the I/O thread");
        }));
        holder.start();
        Await.latch(held, "the hold of the I/O thread");
        try {
            action.run();
        } finally {
            released.countDown();
        }
        Await.end(holder);
    }

    private static void onAnotherThread(Runnable action) {
        Thread other = new Thread(action);
        other.start();
        Await.end(other);
    }
}
