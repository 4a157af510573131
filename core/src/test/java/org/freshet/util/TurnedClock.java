package org.freshet.util;

import org.freshet.testing.FakeClock;

/** The timer's view of a clock that a test advances. */
record TurnedClock(FakeClock clock) implements WheelClock {
    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void awaitUntil(long nanos) {
        clock.awaitUntil(nanos);
    }
}
