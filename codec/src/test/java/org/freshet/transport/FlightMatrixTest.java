package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of each transport in Flight Recorder, all in one recording, because starting one is slow. */
class FlightMatrixTest {
    private static final int LIMIT = 128 * 1024;
    private static final int PIECE = 64 * 1024;

    private static final int ECHOED = 1234;

    /** More pieces than the limit and the buffers of two kernels together hold. */
    private static final int FLOOD = 10_000;

    @TempDir
    Path directory;

    @Test
    void shouldRecordConnectionsPausesOfServersAndOverflows() throws Exception {
        Path file = directory.resolve("events.jfr");
        List<String> echoed = new ArrayList<>();
        List<String> paused = new ArrayList<>();
        List<String> overflowed = new ArrayList<>();
        try (Recording recording = new Recording()) {
            recording.enable("org.freshet.AcceptPaused").withoutThreshold();
            recording.enable("org.freshet.Overflow").withoutThreshold();
            recording.enable("org.freshet.Connection").withoutThreshold();
            recording.start();
            for (Pair pair : Pair.values()) {
                echoed.add(echo(pair));
                if (pair != Pair.LOCAL) { // no queue there
                    paused.add(pause(pair));
                }
                if (pair != Pair.OIO_NIO && pair != Pair.OIO_OIO) { // these keep no writes
                    overflowed.add(overflow(pair));
                }
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        for (String client : echoed) {
            RecordedEvent connection = only(events, "Connection", client);
            assertEquals(ECHOED, connection.getLong("bytesRead"), connection::toString);
            assertEquals(ECHOED, connection.getLong("bytesWritten"), connection::toString);
        }
        for (String server : paused) {
            assertEquals("paused", only(events, "AcceptPaused", server).getString("cause"));
        }
        for (String channel : overflowed) {
            RecordedEvent overflow = only(events, "Overflow", channel);
            assertEquals("FAIL", overflow.getString("policy"));
            assertEquals(LIMIT, overflow.getLong("limit"));
            assertTrue(overflow.getLong("waiting") <= LIMIT, overflow::toString);
        }
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name, String channel) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals("org.freshet." + name))
                .filter(event -> channel.equals(event.getString("channel")))
                .toList();
        assertEquals(1, found.size(), () -> name + " of " + channel + " in " + events);
        return found.get(0);
    }

    /** Returns the client's name after its close. */
    private static String echo(Pair pair) {
        Recorder received = new Recorder();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Echo::new);
            Channel client = rig.connect(server.getLocalAddress(), received);
            received.awaitEvent("connected"); // when its bytes start to count
            Await.success(client.write(ChannelBuffers.wrappedBuffer(new byte[ECHOED])), "the write");
            received.awaitText("\0".repeat(ECHOED));
            Await.success(client.close(), "the close");
            received.awaitClosed();
            return client.toString();
        }
    }

    /** Returns the server's name. */
    private static String pause(Pair pair) {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            String name = server.toString();
            AcceptLimits limits = ((AcceptLimits.Owner) server).limits();
            limits.setPaused(true);
            rig.connect(server.getLocalAddress(), new Recorder());
            Await.until(() -> limits.waitingServers() == 1, "a server that waits");
            limits.setPaused(false);
            accepted.awaitEvent("connected");
            return name;
        }
    }

    /** Returns the channel's name. */
    private static String overflow(Pair pair) {
        Recorder accepted = new Recorder();
        Recorder made = new Recorder();
        try (Rig rig = pair.rig()) {
            rig.server().setChildOption(ChannelOption.WRITE_BUFFER_LIMIT, LIMIT);
            rig.server().setChildOption(ChannelOption.WRITE_OVERFLOW, WriteOverflow.FAIL);
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress(), made);
            Await.success(client.setReadable(false), "the suspension");
            accepted.awaitEvent("connected");
            Channel channel = accepted.channel();
            for (int i = 0; i < FLOOD; i++) {
                ChannelFuture write = channel.write(ChannelBuffers.wrappedBuffer(new byte[PIECE]));
                if (write.isDone() && !write.isSuccess()) {
                    assertInstanceOf(WriteOverflowException.class, write.getCause());
                    return channel.toString();
                }
            }
            throw new AssertionError("no write overflowed on " + channel);
        }
    }
}
