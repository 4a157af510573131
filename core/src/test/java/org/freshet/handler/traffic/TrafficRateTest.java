package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.freshet.util.Timer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long-term rates on a clock that the test advances. */
class TrafficRateTest {
    private static final int SECONDS = 60;
    private static final double TOLERANCE = 0.05;

    private final FakeTimer clock = new FakeTimer();
    private final Random random = Seeds.random();
    private final List<MemoryChannel> opened = new ArrayList<>();

    private MemoryChannel connected(ChannelHandler shaper) {
        MemoryChannel channel = MemoryChannel.connected(shaper);
        opened.add(channel);
        return channel;
    }

    /** Otherwise their backlogs would count in the memory budget of later tests. */
    @AfterEach
    void close() {
        opened.forEach(MemoryChannel::close);
    }

    private Timer timer(long tickMillis) {
        return tickMillis <= 1 ? clock : new LateTimer(clock, tickMillis);
    }

    private ChannelTrafficShapingHandler one(Timer timer, long writeLimit, long readLimit) {
        return new ChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    private GlobalTrafficShapingHandler all(Timer timer, long writeLimit, long readLimit) {
        return new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    private GlobalChannelTrafficShapingHandler each(
            Timer timer, long writeAll, long readAll, long writeEach, long readEach) {
        return new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeAll, readAll, writeEach, readEach, 1000, 15_000);
    }

    private ChannelBuffer message(int maxBytes) {
        return ChannelBuffers.wrappedBuffer(new byte[1 + random.nextInt(maxBytes)]);
    }

    private static long bytesOf(List<Object> messages) {
        return messages.stream()
                .mapToLong(message -> ((ChannelBuffer) message).readableBytes())
                .sum();
    }

    /** Every millisecond, each channel is written to while it is writable. Returns what each channel sent. */
    private long[] writeAll(List<MemoryChannel> channels, int maxBytes) {
        long[] written = new long[channels.size()];
        for (int ms = 0; ms < SECONDS * 1000; ms++) {
            for (int i = 0; i < written.length; i++) {
                MemoryChannel channel = channels.get(i);
                for (int n = 0; n < 20 && channel.isWritable(); n++) {
                    channel.write(message(maxBytes));
                }
                written[i] += bytesOf(channel.takeWritten());
                channel.takeDownstream();
                channel.takeUpstream();
            }
            clock.advanceMillis(1);
        }
        return written;
    }

    /** Every millisecond, each channel receives while it is read. Returns what each channel received. */
    private long[] readAll(List<MemoryChannel> channels, int maxBytes) {
        long[] read = new long[channels.size()];
        for (int ms = 0; ms < SECONDS * 1000; ms++) {
            for (int i = 0; i < read.length; i++) {
                MemoryChannel channel = channels.get(i);
                for (int n = 0; n < 20 && channel.isReadable(); n++) {
                    channel.receive(message(maxBytes));
                }
                read[i] += bytesOf(channel.takeReceived());
                channel.takeDownstream();
                channel.takeUpstream();
            }
            clock.advanceMillis(1);
        }
        return read;
    }

    /** Not even at the start, when no channel has read anything yet. */
    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldNeverReadMoreThanAnIntervalAheadOfTheRate(long tickMillis) {
        long rate = 1024 * 1024;
        long intervalMillis = 100;
        GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer(tickMillis), 0, rate, intervalMillis, 15_000);
        List<MemoryChannel> channels = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            channels.add(connected(handler));
        }
        long read = 0;
        for (int ms = 0; ms < 5000; ms++) {
            for (MemoryChannel channel : channels) {
                while (channel.isReadable()) {
                    channel.receive(ChannelBuffers.wrappedBuffer(new byte[16 * 1024]));
                }
                read += bytesOf(channel.takeReceived());
            }
            long allowed = rate * (ms + intervalMillis) / 1000;
            assertTrue(read <= allowed, read + " bytes after " + ms + " ms");
            clock.advanceMillis(1);
        }
        assertTrue(read >= rate * 4, "read only " + read);
    }

    private static void assertRate(long bytesPerSecond, long bytes, String what) {
        double rate = (double) bytes / SECONDS;
        assertEquals(bytesPerSecond, rate, bytesPerSecond * TOLERANCE, what);
    }

    private static long sum(long[] numbers) {
        long sum = 0;
        for (long number : numbers) {
            sum += number;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1, 100000, 1000", "1, 5000, 3000", "1, 10000000, 64000", "100, 100000, 1000", "100, 1000000, 64000"})
    void shouldWriteAtTheRateOfAChannel(long tickMillis, long limit, int maxBytes) {
        ChannelTrafficShapingHandler handler = one(timer(tickMillis), limit, 0);
        handler.setMaxWriteSize(200_000);
        MemoryChannel channel = connected(handler);
        assertRate(limit, writeAll(List.of(channel), maxBytes)[0], "written");
    }

    /**
     * A writer that sends the next message only after the last one has left no queue from which to make up the timer's
     * delays.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldWriteAtTheRateOfAChannelOneMessageAtATime(long tickMillis) {
        ChannelTrafficShapingHandler handler = one(timer(tickMillis), 100_000, 0);
        MemoryChannel channel = connected(handler);
        long written = 0;
        for (int ms = 0; ms < SECONDS * 1000; ms++) {
            for (int n = 0; n < 20 && handler.queueSize() == 0; n++) {
                channel.write(message(8000));
            }
            written += bytesOf(channel.takeWritten());
            clock.advanceMillis(1);
        }
        assertRate(100_000, written, "written");
    }

    @ParameterizedTest
    @CsvSource({"1, 100000, 1000", "1, 5000, 3000", "1, 10000000, 64000", "100, 100000, 1000", "100, 1000000, 64000"})
    void shouldReadAtTheRateOfAChannel(long tickMillis, long limit, int maxBytes) {
        MemoryChannel channel = connected(one(timer(tickMillis), 0, limit));
        assertRate(limit, readAll(List.of(channel), maxBytes)[0], "read");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldShareTheTotalRateFairly(long tickMillis) {
        GlobalTrafficShapingHandler handler = all(timer(tickMillis), 400_000, 400_000);
        handler.setMaxWriteSize(100_000);
        List<MemoryChannel> channels = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            channels.add(connected(handler));
        }
        long[] written = writeAll(channels, 5000);
        assertRate(400_000, sum(written), "written in total");
        for (long bytes : written) {
            assertRate(100_000, bytes, "written by each");
        }
        assertRate(400_000, sum(readAll(channels, 5000)), "read in total");
    }

    /** A channel with a long queue does not deprive others of their share. */
    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldGiveALatecomerItsShareImmediately(long tickMillis) {
        GlobalTrafficShapingHandler handler = all(timer(tickMillis), 100_000, 0);
        MemoryChannel greedy = connected(handler);
        MemoryChannel modest = connected(handler);
        for (int i = 0; i < 1000; i++) {
            greedy.write(ChannelBuffers.wrappedBuffer(new byte[1000]));
        }
        modest.write(ChannelBuffers.wrappedBuffer(new byte[1000]));
        clock.advanceMillis(200);
        assertEquals(1, modest.takeWritten().size());
        greedy.close();
        assertEquals(0, handler.queuesSize());
        for (int i = 0; i < 100; i++) {
            modest.write(ChannelBuffers.wrappedBuffer(new byte[1000]));
        }
        clock.advanceMillis(1200);
        assertEquals(100, modest.takeWritten().size(), "writes dropped by the closed channel cost nothing");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldLimitEachChannelAndAllTogether(long tickMillis) {
        GlobalChannelTrafficShapingHandler handler = each(timer(tickMillis), 250_000, 250_000, 100_000, 100_000);
        handler.setMaxWriteSize(100_000);
        List<MemoryChannel> channels = new ArrayList<>();
        channels.add(connected(handler));
        channels.add(connected(handler));
        for (long bytes : writeAll(channels, 5000)) {
            assertRate(100_000, bytes, "written by each of two");
        }
        for (long bytes : readAll(channels, 5000)) {
            assertRate(100_000, bytes, "read by each of two");
        }
        channels.add(connected(handler));
        channels.add(connected(handler));
        assertRate(250_000, sum(writeAll(channels, 5000)), "written by four");
        assertRate(250_000, sum(readAll(channels, 5000)), "read by four");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100})
    void shouldLetChannelsCatchUpThatHaveWrittenLittle(long tickMillis) {
        GlobalChannelTrafficShapingHandler handler = each(timer(tickMillis), 100_000, 0, 0, 0);
        handler.setMaxWriteSize(50_000);
        List<MemoryChannel> channels = new ArrayList<>();
        channels.add(connected(handler));
        writeAll(channels, 2000);
        channels.add(connected(handler));
        long[] written = writeAll(channels, 2000);
        assertRate(100_000, sum(written), "written in total");
        assertTrue(
                written[1] > written[0] * 1.1, "written by the early: " + written[0] + ", by the late: " + written[1]);
    }
}
