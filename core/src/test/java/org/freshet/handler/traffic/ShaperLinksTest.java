package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Neither a shaper nor an open channel keeps channels that have closed, though it has linked them. */
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

    /** The list of channels with due writes. */
    @Test
    void shouldNotKeepWhatWasSentToAtTheSameTime() {
        GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 1000, 0, 0, 15_000, timer::nanos);
        MemoryChannel first = channelWithTwoWrites(handler);
        MemoryChannel second = channelWithTwoWrites(handler);
        handler.setWriteLimit(0);
        assertEquals(2, first.takeWritten().size());
        assertEquals(2, second.takeWritten().size());
        WeakReference<MemoryChannel> closed = closed(second);
        second = null;
        awaitCollection(closed);
        closed = closed(first);
        first = null;
        awaitCollection(closed);
        assertEquals(0, handler.queuesSize());
    }

    /** The list of channels that rested when limits changed. */
    @Test
    void shouldNotKeepWhatRestedAtTheSameTime() {
        GlobalChannelTrafficShapingHandler handler = new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 0, 0, 1000, 0, 0, 15_000, timer::nanos);
        MemoryChannel[] channels = new MemoryChannel[3];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = channelWithTwoWrites(handler);
        }
        handler.setWriteChannelLimit(900);
        for (int i = 0; i < channels.length - 1; i++) {
            WeakReference<MemoryChannel> closed = closed(channels[i]);
            channels[i] = null;
            awaitCollection(closed);
        }
        assertTrue(channels[channels.length - 1].isOpen());
    }
}
