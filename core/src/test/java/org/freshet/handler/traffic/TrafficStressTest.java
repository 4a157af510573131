package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads write to several channels on a real timer. */
class TrafficStressTest {
    private static final int THREADS = 4;
    private static final int MESSAGES = 2000;
    private static final int RELEASES = 200;

    private final HashedWheelTimer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final Collection<ChannelFuture> futures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stopTimer() {
        timer.stop();
    }

    private List<Thread> writers(List<MemoryChannel> channels) {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int index = t;
            Thread thread = new Thread(() -> write(channels, index));
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private void write(List<MemoryChannel> channels, int thread) {
        Random random = Seeds.random(thread);
        for (int i = 0; i < MESSAGES; i++) {
            ChannelBuffer message = ChannelBuffers.buffer(8 + random.nextInt(200));
            message.writeInt(thread);
            message.writeInt(i);
            message.writeZero(message.writableBytes());
            futures.add(channels.get(i % channels.size()).write(message));
        }
    }

    private static List<MemoryChannel> connect(AbstractTrafficShapingHandler handler) {
        List<MemoryChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            channels.add(MemoryChannel.connected(handler));
        }
        return channels;
    }

    @Test
    void shouldKeepTheOrderOfEachThreadAndLoseNothing() {
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(timer, 1_500_000, 0, 600_000, 0, 50);
        handler.setMaxWriteSize(10_000);
        List<MemoryChannel> channels = connect(handler);
        writers(channels).forEach(Await::end);
        futures.forEach(future -> Await.success(future, "a write"));
        long bytes = 0;
        for (MemoryChannel channel : channels) {
            int[] last = {-1, -1, -1, -1};
            for (Object written : channel.takeWritten()) {
                ChannelBuffer message = (ChannelBuffer) written;
                int thread = message.getInt(0);
                assertTrue(message.getInt(4) > last[thread], "out of order");
                last[thread] = message.getInt(4);
                bytes += message.readableBytes();
            }
            Await.until(channel::isWritable, "a channel to be writable");
        }
        assertEquals(THREADS * MESSAGES, futures.size());
        assertEquals(bytes, handler.getTrafficCounter().getCumulativeWrittenBytes());
        assertEquals(0, handler.queuesSize());
        handler.release();
    }

    @Test
    void shouldCompleteEveryFutureWhenChannelsCloseInMidFlight() {
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(timer, 100_000, 0, 50_000, 0, 50);
        List<MemoryChannel> channels = connect(handler);
        List<Thread> writers = writers(channels);
        Await.until(() -> futures.size() > THREADS * MESSAGES / 3, "a third of the writes");
        channels.forEach(MemoryChannel::close);
        writers.forEach(Await::end);
        futures.forEach(future -> Await.done(future, "a write"));
        assertEquals(THREADS * MESSAGES, futures.size());
        assertEquals(0, handler.queuesSize());
        handler.release();
    }

    /** A write that finds the shaper released must not overtake those queued until then. */
    @Test
    void shouldKeepTheOrderWhenItIsReleasedInMidFlight() {
        for (int round = 0; round < RELEASES; round++) {
            GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(timer, 1, 0, 0);
            MemoryChannel channel = MemoryChannel.connected(handler);
            writeNumbered(channel, 0, 100);
            AtomicBoolean isWriting = new AtomicBoolean();
            Thread writer = new Thread(() -> {
                isWriting.set(true);
                writeNumbered(channel, 100, 300);
            });
            writer.start();
            while (!isWriting.get()) {
                Thread.onSpinWait();
            }
            handler.releaseExternalResources();
            Await.end(writer);
            assertOrder(channel, 300);
        }
    }

    private static void writeNumbered(MemoryChannel channel, int from, int to) {
        for (int i = from; i < to; i++) {
            ChannelBuffer message = ChannelBuffers.buffer(4);
            message.writeInt(i);
            channel.write(message);
        }
    }

    private static void assertOrder(MemoryChannel channel, int count) {
        List<Integer> sent = new ArrayList<>();
        Await.until(
                () -> {
                    channel.takeWritten().forEach(message -> sent.add(((ChannelBuffer) message).getInt(0)));
                    return sent.size() == count;
                },
                "all messages");
        for (int i = 0; i < count; i++) {
            assertEquals(i, sent.get(i), () -> "out of order: " + sent);
        }
    }
}
