package org.freshet.internal.flight;

import jdk.jfr.Event;

/** An event with a duration, measured only if the event is recorded. */
abstract class TimedEvent extends Event {
    /** Starts this event and returns it; null if it is not recorded. */
    final Object begun() {
        if (!isEnabled()) {
            return null;
        }
        begin();
        return this;
    }
}
