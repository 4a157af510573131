package org.freshet.internal.flight;

import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** A process that closes a channel before it records anything, and another one while it does. */
public final class RecordingLater {
    static final String BEGINS = "the recording begins";
    static final String EVENTS = "events: ";

    private RecordingLater() {}

    /** @param arguments the file for the recording */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        Flight.closeRequested("the first channel", "a reason");
        System.out.println(BEGINS);
        try (Recording recording = new Recording()) {
            recording.enable("org.freshet.CloseRequested");
            recording.start();
            Flight.closeRequested("the second channel", "a reason");
            recording.stop();
            recording.dump(file);
        }
        System.out.println(EVENTS
                + RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals("org.freshet.CloseRequested"))
                        .count());
    }
}
