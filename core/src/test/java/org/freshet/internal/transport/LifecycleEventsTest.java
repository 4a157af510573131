package org.freshet.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.FakeChannel;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.testing.Recorder;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory may run out before any of the events exists. Handlers get each of them once. */
class LifecycleEventsTest {
    private static final int MANY_STEPS = 100;
    private static final InetSocketAddress LOCAL = new InetSocketAddress(1);
    private static final InetSocketAddress REMOTE = new InetSocketAddress(2);

    /**
     * Memory runs out when it is asked for its pipeline, which comes just before the event is created, or when the connection is counted:
     * also a counter may need memory.
     */
    private static final class StarvedChannel extends FakeChannel implements ConnectionCounters.Source {
        private final ConnectionCounters counters = new ConnectionCounters("starved");
        private Scarcity scarcity;

        /** For the counters alone. */
        private Scarcity scarceCounters;

        StarvedChannel(Channel parent, Recorder recorder) {
            super(1, parent, recorder);
        }

        private void step() {
            if (scarcity != null) {
                scarcity.step();
            }
        }

        @Override
        public ChannelPipeline getPipeline() {
            step();
            return super.getPipeline();
        }

        @Override
        public ConnectionCounters connectionCounters() {
            step();
            if (scarceCounters != null) {
                scarceCounters.step();
            }
            return counters;
        }

        void setUnreadable() {
            setInternalInterestOps(OP_NONE);
        }
    }

    private final Recorder recorder = new Recorder();
    private final Recorder parentRecorder = new Recorder();
    private final StarvedChannel parent = new StarvedChannel(null, parentRecorder);
    private final StarvedChannel channel = new StarvedChannel(parent, recorder);

    /** Repeats what failed, as transports do. */
    private static void complete(Runnable step) {
        boolean isDone = false;
        while (!isDone) {
            try {
                step.run();
                isDone = true;
            } catch (OutOfMemoryError injected) {
                isDone = false;
            }
        }
    }

    private void live(LifecycleEvents events) {
        complete(events::openAccepted);
        complete(() -> events.connected(LOCAL, REMOTE));
        channel.setUnreadable();
        complete(events::readability);
        channel.onClosed();
        complete(events::closed);
    }

    @Test
    void shouldFireAndCountEachEventOnceAlthoughThereWasNoMemoryForIt() {
        boolean wasReached = true;
        for (int steps = 0; wasReached; steps++) {
            LifecycleEventsTest each = new LifecycleEventsTest();
            Scarcity scarcity = new Scarcity(steps);
            each.channel.scarcity = scarcity;
            each.parent.scarcity = scarcity;
            each.live(LifecycleEvents.of(each.channel, true));
            assertEquals(
                    List.of("open", "bound", "connected", "interest", "disconnected", "unbound", "closed"),
                    each.recorder.events(),
                    "no memory after " + steps + " steps");
            assertEquals(List.of("childClosed"), each.parentRecorder.events(), "no memory after " + steps + " steps");
            assertEquals(1, each.channel.counters.opened(), "no memory after " + steps + " steps");
            assertEquals(0, each.channel.counters.open(), "no memory after " + steps + " steps");
            wasReached = scarcity.wasReached() && steps < MANY_STEPS;
        }
    }

    @Test
    void shouldRecordEachConnectionOnceAlthoughThereWasNoMemoryToCountIt(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("events.jfr");
        StarvedChannel recorded = new StarvedChannel(null, new Recorder());
        recorded.scarceCounters = new Scarcity(0);
        try (Recording recording = new Recording()) {
            recording.enable("org.freshet.Connection").withoutThreshold();
            recording.start();
            LifecycleEvents events = LifecycleEvents.of(recorded, false);
            complete(() -> events.connected(LOCAL, REMOTE));
            recorded.onClosed();
            recording.stop();
            recording.dump(file);
        }
        assertTrue(recorded.scarceCounters.wasReached());
        assertEquals(
                1,
                RecordingFile.readAllEvents(file).stream()
                        .filter(event -> recorded.toString().equals(event.getString("channel")))
                        .count());
    }

    @Test
    void shouldFireOnlyTheClosingEventsOfAChannelThatHasFiredTheOthers() {
        channel.onClosed();
        LifecycleEvents.closing(channel, false, true).closed();
        assertEquals(List.of("unbound", "closed"), recorder.events());
        assertEquals(List.of("childClosed"), parentRecorder.events());
    }

    @Test
    void shouldFireNothingOnceSuppressed() {
        LifecycleEvents events = LifecycleEvents.of(channel, false);
        events.suppress();
        events.closed();
        assertEquals(List.of(), recorder.events());
        assertEquals(List.of(), parentRecorder.events());
    }
}
