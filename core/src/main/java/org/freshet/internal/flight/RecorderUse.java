package org.freshet.internal.flight;

import jdk.jfr.FlightRecorder;

/**
 * Tells whether the recorder was used in this JVM. It is asked each time: a listener would keep the class loader of this library from being
 * collected. Any thread may ask.
 */
final class RecorderUse {
    private RecorderUse() {}

    static boolean hasBegun() {
        return FlightRecorder.isInitialized();
    }
}
