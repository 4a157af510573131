package org.freshet.internal.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Tells {@link Flight} once the recorder is used, by whichever thread starts it; at once if it was. */
final class RecorderUse implements FlightRecorderListener {
    static void listen() {
        FlightRecorder.addListener(new RecorderUse());
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        Flight.onUsed();
    }
}
