package org.freshet.channel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A fake channel with water marks and without a limit. It lists what its handlers would be notified of. Any thread. */
class MarkedChannel extends FakeChannel implements WriteMarks {
    static final int HIGH = 64 * 1024;
    static final int LOW = 32 * 1024;

    final List<Boolean> announced = new CopyOnWriteArrayList<>();

    @Override
    protected void fireWritabilityChanged() {
        announced.add(isWritable());
    }

    @Override
    public final int highWaterMark() {
        return HIGH;
    }

    @Override
    public final int lowWaterMark() {
        return LOW;
    }

    @Override
    public final int limitBytes() {
        return 0;
    }
}
