package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes in Flight Recorder. */
@Tag("crypto")
class TlsFlightTest {
    @TempDir
    Path directory;

    @Test
    void shouldRecordTheNegotiatedParametersAndWhyAHandshakeFailed() throws Exception {
        Path file = directory.resolve("handshakes.jfr");
        Set<String> channels;
        try (Recording recording = new Recording()) {
            recording.enable("org.freshet.TlsHandshake").withoutThreshold();
            recording.start();
            TlsPair pair = TlsPair.of(TLS_1_3).established();
            TlsPair failing = TlsPair.of(
                    Certificates.client().protocols(TLS_1_3),
                    Certificates.server().protocols(TlsPair.TLS_1_2),
                    () -> 500);
            failing.clientHandler.handshake();
            failing.pump();
            recording.stop();
            recording.dump(file);
            channels = Set.of(pair.client.toString(), pair.server.toString());
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        List<RecordedEvent> done = events.stream()
                .filter(event -> event.getString("cause") == null)
                .toList();
        assertEquals(
                channels, done.stream().map(event -> event.getString("channel")).collect(Collectors.toSet()));
        for (RecordedEvent event : done) {
            assertEquals(TLS_1_3, event.getString("protocol"));
            assertTrue(event.getString("cipherSuite").startsWith("TLS_"), event::toString);
        }
        assertEquals(2, events.size() - done.size(), events::toString);
    }
}
