package org.freshet.handler.traffic;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.FakeTimer;

/** Shapers on a clock that the test moves. */
abstract class TrafficShapers {
    final FakeTimer timer = new FakeTimer();

    ChannelTrafficShapingHandler one(long writeLimit, long readLimit) {
        return new ChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    GlobalTrafficShapingHandler all(long writeLimit, long readLimit) {
        return new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    GlobalChannelTrafficShapingHandler each(long writeEach, long readEach) {
        return new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 0, 0, writeEach, readEach, 1000, 15_000);
    }

    static ChannelBuffer bytes(int count) {
        return ChannelBuffers.wrappedBuffer(new byte[count]);
    }
}
