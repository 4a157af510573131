package org.freshet.internal.flight;

import jdk.jfr.FlightRecorder;

/**
 * Tells whether somebody has used the recorder. It is asked each time: a listener would keep the class loader of this library from being
 * collected.
 */
final class RecorderUse {
    private RecorderUse() {}

    static boolean hasBegun() {
        return FlightRecorder.isInitialized();
    }
}
