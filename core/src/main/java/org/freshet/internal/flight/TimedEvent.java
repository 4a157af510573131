package org.freshet.internal.flight;

import jdk.jfr.Event;

/** What takes a while, which is measured only if it is recorded. */
abstract class TimedEvent extends Event {
    /** This event, which begins now; null if it is not recorded. */
    final Object begun() {
        if (!isEnabled()) {
            return null;
        }
        begin();
        return this;
    }
}
