package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.send.StreamSender;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory cost of a peer that reads slowly or never, and the events that handlers receive. */
class WaterMarkTest {
    private static final int THREADS = 4;
    private static final int HIGH_MARK = 64 * 1024;

    private static final Map<String, Object> OPTIONS = Map.of(
            "child.sendBufferSize",
            8 * 1024,
            "child.writeBufferHighWaterMark",
            HIGH_MARK,
            "child.writeBufferLowWaterMark",
            HIGH_MARK / 2);

    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    private ScriptedPeer connect(Recorder accepted) throws Exception {
        Channel server = rig.bind(() -> Channels.pipeline(accepted), OPTIONS);
        return ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024);
    }

    /** Writers that respect isWritable() may each have seen it true at the same time, but no more than that. */
    @Test
    void shouldLimitPendingBytesToTheHighMarkAndOneMessagePerWriterWhenThePeerNeverReads() throws Exception {
        int messageBytes = 1024;
        Recorder accepted = new Recorder();
        try (ScriptedPeer peer = connect(accepted)) {
            Channel channel = accepted.awaitConnected();
            AtomicLong pendingBytes = new AtomicLong();
            AtomicLong most = new AtomicLong();
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                writers.add(new Thread(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        if (channel.isWritable()) {
                            most.accumulateAndGet(pendingBytes.addAndGet(messageBytes), Math::max);
                            channel.write(wrappedBuffer(new byte[messageBytes]))
                                    .addListener(sent -> pendingBytes.addAndGet(-messageBytes));
                        }
                    }
                }));
            }
            writers.forEach(Thread::start);
            writers.forEach(Await::end);
            assertFalse(channel.isWritable());
            // A write that was sent is subtracted here a little later than there.
            assertTrue(
                    most.get() <= HIGH_MARK + 2L * THREADS * messageBytes + StreamSender.STAGING_BYTES, most::toString);
            Rig.onLoop(channel, () -> assertEquals("interest R-", last(accepted.events())));
            Await.success(channel.close(), "the close");
            assertEquals(0, pendingBytes.get());
            assertTrue(peer.readToEnd().length > 0);
        }
    }

    private static String last(List<String> events) {
        return events.get(events.size() - 1);
    }

    /** Looks for two announcements of one kind in a row, or congestion whose end is never announced. */
    @Test
    void shouldAnnounceCongestionAndItsEndInTurnHoweverManyWrite() throws Exception {
        int each = 1500;
        Recorder accepted = new Recorder();
        try (ScriptedPeer peer = connect(accepted)) {
            Channel channel = accepted.awaitConnected();
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = Seeds.random(t);
                writers.add(new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        int length = random.nextInt(4096);
                        ChannelFuture written = channel.write(wrappedBuffer(new byte[length]));
                        if (!channel.isWritable() && random.nextInt(4) == 0) {
                            Await.success(written, "a write while congested");
                        }
                    }
                }));
            }
            writers.forEach(Thread::start);
            Thread reader = new Thread(() -> readAll(peer));
            reader.start();
            writers.forEach(Await::end);
            Await.until(channel::isWritable, "the end of congestion");
            Rig.onLoop(channel, () -> assertByTurns(accepted.events()));
            Await.success(channel.close(), "the close");
            Await.end(reader);
        }
    }

    @Test
    void shouldNotRepeatAUsersAnnouncement() throws Exception {
        Recorder accepted = new Recorder();
        try (ScriptedPeer peer = connect(accepted)) {
            Channel channel = accepted.awaitConnected();
            channel.setUserDefinedWritability(1, false);
            int bytes = 40 * HIGH_MARK;
            ChannelFuture written = channel.write(wrappedBuffer(new byte[bytes]));
            Rig.onLoop(channel, () -> {}); // everything about congestion has been announced
            peer.read(bytes);
            Await.success(written, "the write");
            Rig.onLoop(channel, () -> {});
            channel.setUserDefinedWritability(1, true);
            Rig.onLoop(channel, () -> {});
            assertEquals(
                    List.of("open", "bound", "connected", "interest R-", "interest RW"),
                    accepted.events().stream()
                            .filter(e -> !e.startsWith("written"))
                            .toList());
        }
    }

    private static void readAll(ScriptedPeer peer) {
        try {
            peer.readToEnd();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertByTurns(List<String> events) {
        List<String> interest =
                events.stream().filter(e -> e.startsWith("interest")).toList();
        assertTrue(interest.size() >= 2, interest::toString);
        assertEquals(0, interest.size() % 2, interest::toString);
        assertEquals("interest RW", last(interest));
    }

    /** The event reports a change, so a handler that counts changes agrees with the channel's state. */
    @Test
    void shouldReportEachChangeOnceToAHandlerThatCounts() throws Exception {
        List<Boolean> announced = new ArrayList<>();
        Recorder accepted = new Recorder() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (EventNames.of(e).equals("interest")) {
                    announced.add(ctx.getChannel().isWritable());
                }
                super.handleUpstream(ctx, e);
            }
        };
        try (ScriptedPeer peer = connect(accepted)) {
            Channel channel = accepted.awaitConnected();
            int rounds = 50;
            int bytes = 40 * HIGH_MARK;
            for (int i = 1; i <= rounds; i++) {
                ChannelFuture written = channel.write(wrappedBuffer(new byte[bytes]));
                peer.read(bytes);
                Await.success(written, "round " + i);
                Rig.onLoop(channel, () -> {}); // the end of this congestion is announced before the next begins
            }
            Rig.onLoop(channel, () -> {
                assertEquals(2 * rounds, announced.size());
                for (int i = 0; i < announced.size(); i++) {
                    assertEquals(i % 2 == 1, announced.get(i), "announcement " + i);
                }
            });
        }
    }
}
