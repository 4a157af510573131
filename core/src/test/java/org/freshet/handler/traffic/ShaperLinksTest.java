package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.WeakReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Neither a shaper nor an open channel retains closed channels, although the shaper had linked them. */
class ShaperLinksTest {
    private final FakeTimer timer = new FakeTimer();

    private static MemoryChannel channelWithTwoWrites(AbstractTrafficShapingHandler handler) {
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[500]));
        channel.write(ChannelBuffers.wrappedBuffer(new byte[500]));
        return channel;
    }

    private static WeakReference<MemoryChannel> closed(MemoryChannel channel) {
        channel.close();
        channel.takeUpstream();
        channel.takeDownstream();
        return new WeakReference<>(channel);
    }

    private static void awaitCollection(WeakReference<MemoryChannel> closed) {
        Await.until(
                () -> {
                    System.gc();
                    return closed.refersTo(null);
                },
                "the collection of a closed channel");
    }

    private static void assertCollected(MemoryChannel[] channels, int... closing) {
        for (int i : closing) {
            WeakReference<MemoryChannel> closed = closed(channels[i]);
            channels[i] = null;
            awaitCollection(closed);
        }
    }

    /** The list of channels with due writes. */
    @Test
    void shouldNotRetainChannelsThatWereDueAtTheSameTime() {
        for (int[] order : new int[][] {{0, 1}, {1, 0}}) {
            GlobalTrafficShapingHandler handler =
                    new GlobalTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 1000, 0, 0, 15_000);
            MemoryChannel[] channels = {channelWithTwoWrites(handler), channelWithTwoWrites(handler)};
            handler.setWriteLimit(0);
            for (MemoryChannel channel : channels) {
                assertEquals(2, channel.takeWritten().size());
            }
            assertCollected(channels, order);
            assertEquals(0, handler.queuesSize());
        }
    }

    /** The list of channels that were paused when limits changed. */
    @Test
    void shouldNotRetainChannelsThatWerePausedAtTheSameTime() {
        GlobalChannelTrafficShapingHandler handler = new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 0, 0, 1000, 0, 0, 15_000);
        MemoryChannel[] channels = {
            channelWithTwoWrites(handler), channelWithTwoWrites(handler), channelWithTwoWrites(handler)
        };
        handler.setWriteChannelLimit(900);
        timer.advanceMillis(1000);
        for (MemoryChannel channel : channels) {
            assertEquals(2, channel.takeWritten().size());
        }
        assertCollected(channels, 1, 0, 2);
    }
}
