package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a channel records with Flight Recorder, and when. All in one recording, because starting one is slow. */
class ChannelFlightTest {
    private static final int LIMIT = 100 * 1024;
    private static final int PIECE = 40 * 1024;

    /** The fields that say more than the channel's name. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "org.freshet.CloseRequested", List.of("reason"),
            "org.freshet.Connect", List.of("remoteAddress", "cause"),
            "org.freshet.Overflow", List.of("policy", "waiting", "limit"),
            "org.freshet.UnobservedFailure", List.of("cause"),
            "org.freshet.Unwritable", List.of());

    /** Its name is the moment of the test, so an event shows when it was recorded. */
    private static final class NamedChannel extends MarkedChannel {
        private static final String PREFIX = "named: ";
        private volatile String moment = "never";

        NamedChannel at(String now) {
            moment = now;
            return this;
        }

        @Override
        public ChannelConfig getConfig() {
            return new DefaultChannelConfig();
        }

        @Override
        public String toString() {
            return PREFIX + moment;
        }
    }

    private final List<String> expected = new ArrayList<>();

    @Test
    void shouldRecordConnectsClosesOverflowsFailuresAndHowLongItWasUnwritable(@TempDir Path directory)
            throws IOException {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            FIELDS.keySet().forEach(name -> recording.enable(name).withoutThreshold());
            recording.start();
            connect();
            beUnwritable();
            overflow(WriteOverflow.FAIL);
            overflow(WriteOverflow.CLOSE);
            exceedBudget();
            exceedShare();
            fail();
            recording.stop();
            recording.dump(file);
        }
        List<String> recorded = RecordingFile.readAllEvents(file).stream()
                .filter(event -> FIELDS.containsKey(event.getEventType().getName()))
                .filter(event -> event.getString("channel").startsWith(NamedChannel.PREFIX)
                        || event.getEventType().getName().endsWith("Overflow"))
                .map(ChannelFlightTest::text)
                .sorted()
                .toList();
        assertEquals(expected.stream().sorted().toList(), recorded);
    }

    private static String text(RecordedEvent event) {
        String name = event.getEventType().getName();
        String channel = event.getString("channel");
        StringBuilder text = new StringBuilder(name.substring(name.lastIndexOf('.') + 1));
        if (channel.startsWith(NamedChannel.PREFIX)) {
            text.append(' ').append(channel.substring(NamedChannel.PREFIX.length()));
        }
        for (String field : FIELDS.get(name)) {
            Object value = event.getValue(field);
            text.append(' ').append(value);
        }
        return text.toString();
    }

    private void connect() {
        NamedChannel channel = new NamedChannel();
        ChannelFuture refused = channel.connect(PaperChannel.PEER);
        channel.at("refused");
        refused.setFailure(new IOException("for this test"));
        expected.add("Connect refused " + PaperChannel.PEER + " java.io.IOException: for this test");
        ChannelFuture made = channel.connect(PaperChannel.PEER);
        channel.at("made");
        made.setSuccess();
        expected.add("Connect made " + PaperChannel.PEER + " null");
        channel.at("closed").close();
        expected.add("CloseRequested closed " + CloseReason.LOCAL);
        channel.at("closed again").close(CloseReason.SHUTDOWN);
        expected.add("CloseRequested closed again " + CloseReason.LOCAL);
    }

    /** One event for each time that it was unwritable, recorded with its end. */
    private void beUnwritable() {
        NamedChannel channel = new NamedChannel();
        channel.setUnwritable();
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(1, true);
        channel.at("transport").setWritable();
        expected.add("Unwritable transport");

        channel.at("never").setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(2, true);
        channel.at("user").setUserDefinedWritability(1, true);
        expected.add("Unwritable user");

        channel.at("never").setUserDefinedWritability(1, false);
        channel.setUnwritable();
        channel.setWritable();
        channel.admitWrite(2 * MarkedChannel.HIGH);
        channel.releaseWrite(2 * MarkedChannel.HIGH);
        channel.updateWritability();
        channel.at("user again").setUserDefinedWritability(1, true);
        expected.add("Unwritable user again");

        channel.at("never").admitWrite(2 * MarkedChannel.HIGH);
        channel.updateWritability();
        channel.at("account").releaseWrite(2 * MarkedChannel.HIGH);
        channel.updateWritability();
        expected.add("Unwritable account");

        channel.at("never").setUnwritable();
        channel.at("close").close();
        expected.add("CloseRequested close " + CloseReason.LOCAL);
        expected.add("Unwritable close");

        NamedChannel closed = new NamedChannel();
        closed.onClosed();
        closed.at("closed before").setUnwritable();
        expected.add("Unwritable closed before");
    }

    private void overflow(WriteOverflow policy) {
        MemoryChannel channel = MemoryChannel.connected().limit(LIMIT, policy);
        assertNull(channel.admitWrite(PIECE));
        assertNull(channel.admitWrite(PIECE));
        assertNotNull(channel.admitWrite(PIECE));
        expected.add("Overflow " + policy + " " + 2 * PIECE + " " + LIMIT);
        channel.close();
        assertInstanceOf(ChannelClosedException.class, channel.admitWrite(PIECE), "not recorded: it is closed");
    }

    /** A config without the option has the default policy. */
    private void exceedShare() {
        long budgetBefore = MemoryBudget.getLimit();
        NamedChannel closing = new NamedChannel();
        NamedChannel channel = new NamedChannel();
        WriteAccount.charge(closing, 40 * LIMIT);
        closing.setClosing();
        MemoryBudget.setLimit(10 * LIMIT);
        try {
            assertNull(channel.admitWrite(1024));
            assertNotNull(channel.at("beyond its share").admitWrite(PIECE));
        } finally {
            closing.onClosed();
            MemoryBudget.setLimit(budgetBefore);
        }
        expected.add("Overflow beyond its share CLOSE 1024 0");
        expected.add("CloseRequested beyond its share " + channel.getCloseReason());
    }

    /** A broken connection is recorded as such, not with each of its writes. */
    private void fail() {
        NamedChannel channel = new NamedChannel();
        new DefaultChannelFuture(channel.at("never"), false).setFailure(new IOException("for this test"));
        new DefaultChannelFuture(channel.at("failed"), false).setFailure(new IllegalStateException("for this test"));
        expected.add("UnobservedFailure failed java.lang.IllegalStateException: for this test");
    }

    private void exceedBudget() {
        NamedChannel channel = new NamedChannel();
        WriteAccount.charge(channel, 2 * LIMIT);
        CapturedLog log = CapturedLog.start();
        try {
            Backlogs.of(List.of(channel.at("greatest")), channel::waitingBytes)
                    .closeGreatest(LIMIT, InternalLoggerFactory.getInstance(MemoryBudget.class));
        } finally {
            log.close();
        }
        expected.add("CloseRequested greatest " + channel.getCloseReason());
        expected.add("Overflow greatest BUDGET " + 2 * LIMIT + " " + LIMIT);
    }
}
