package org.freshet.internal.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.freshet.bootstrap.Drain;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.SmallJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that Flight Recorder records, and a JVM without Flight Recorder. */
class FlightTest {
    @TempDir
    Path directory;

    /** All in one recording, because starting one is slow. */
    @Test
    void shouldRecordEachEventWithItsFields() throws IOException {
        CloseReason chosen = CloseReason.of(CloseReason.Kind.DRAINED, "by the test");
        Path file = directory.resolve("events.jfr");
        String client;
        try (Recording recording = new Recording()) {
            recording.enable(ConnectionEvent.class).withoutThreshold();
            recording.enable(CloseRequestedEvent.class);
            recording.enable(ConnectEvent.class).withoutThreshold();
            recording.enable(ServersDrained.class).withoutThreshold();
            recording.enable(UnwritableEvent.class).withoutThreshold();
            recording.enable(TlsHandshakeEvent.class).withoutThreshold();
            recording.enable(StallEvent.class);
            recording.enable(UnobservedFailureEvent.class);
            recording.enable(LoopStatisticsEvent.class);
            recording.start();
            client = connectAndClose(chosen);
            new DefaultChannelFuture(null, false).setFailure(new IllegalStateException("for FlightTest"));
            Flight.handshakeEnded(Flight.handshakeBegan(), "channel", "TLSv1.3", "suite", "h2", null);
            Flight.unwritable("slow");
            Flight.unwritableEnded("slow");
            Flight.unwritableEnded("slow");
            Await.result(Drain.ofServers(List.of()).start(), "the drain of nothing");
            Flight.stalled("loop", null, "Handler", "Handler.run(Handler.java:1)", 42);
            Flight.loopStatistics("loop", 1, 2, 3, 4, 5, 6);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        RecordedEvent made = only(events, "Connection", "channel", client);
        assertFalse(made.getBoolean("isAccepted"));
        assertEquals(chosen.toString(), made.getString("reason"));
        RecordedEvent accepted = events.stream()
                .filter(event -> event.getEventType().getName().equals("org.freshet.Connection"))
                .filter(event -> event.getBoolean("isAccepted"))
                .findFirst()
                .orElseThrow();
        assertEquals(CloseReason.PEER_CLOSED.toString(), accepted.getString("reason"));
        RecordedEvent asked = only(events, "CloseRequested", "reason", chosen.toString());
        assertTrue(
                asked.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getName().equals("connectAndClose")),
                asked::toString);
        only(events, "UnobservedFailure", "cause", "java.lang.IllegalStateException: for FlightTest");
        assertNull(only(events, "Connect", "remoteAddress", "local:flight-test").getString("cause"));
        assertEquals("h2", only(events, "TlsHandshake", "channel", "channel").getString("applicationProtocol"));
        only(events, "Unwritable", "channel", "slow");
        assertEquals(42, only(events, "Stall", "loop", "loop").getLong("held"));
        assertEquals(3, only(events, "LoopStatistics", "loop", "loop").getLong("iterations"));
    }

    /** Returns how the client's channel is named after its close. */
    private static String connectAndClose(CloseReason reason) {
        Recorder made = new Recorder();
        Recorder accepted = new Recorder();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            Channel server = rig.listen(new LocalAddress("flight-test"), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress(), made);
            client.close(reason);
            made.awaitClosed();
            accepted.awaitClosed();
            return client.toString();
        }
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name, String field, String value) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals("org.freshet." + name))
                .filter(event -> value.equals(event.getString(field)))
                .toList();
        assertEquals(1, found.size(), () -> name + " in " + events);
        return found.get(0);
    }

    @Test
    void shouldDoNothingIfTheJvmHasNoFlightRecorder() throws Exception {
        Class<?> flight = new WithoutFlightRecorder().loadClass(Flight.class.getName());
        flight.getMethod("closeRequested", Object.class, Object.class).invoke(null, "channel", "reason");
        assertEquals(null, flight.getMethod("connectionBegan").invoke(null));
    }

    /** Loading event classes takes a process that starts a third of its time. */
    @Test
    void shouldLoadEventsWhenTheRecorderIsFirstUsed() throws Exception {
        String said = SmallJvm.run(
                List.of("-Xlog:class+load:stdout"),
                RecordingLater.class,
                directory.resolve("later.jfr").toString());
        int uses = said.indexOf(RecordingLater.BEGINS);
        assertTrue(said.substring(0, uses).contains(Flight.class.getName() + " source"), said);
        assertFalse(said.substring(0, uses).contains(CloseRequestedEvent.class.getName()), said);
        assertTrue(said.contains(RecordingLater.EVENTS + 1), said);
    }

    /** Loads this package again, but finds no class of the module that may be missing. */
    private static final class WithoutFlightRecorder extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("jdk.jfr.")) {
                throw new ClassNotFoundException(name);
            }
            return name.startsWith(Flight.class.getPackageName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in =
                    Flight.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
