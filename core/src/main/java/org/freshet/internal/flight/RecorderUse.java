package org.freshet.internal.flight;

import jdk.jfr.FlightRecorder;

/**
 * Whether the recorder was used in this JVM. Asks each time: a listener would keep the class loader of this library from being collected.
 * Any thread may call it.
 */
final class RecorderUse {
    private RecorderUse() {}

    static boolean hasBegun() {
        return FlightRecorder.isInitialized();
    }
}
