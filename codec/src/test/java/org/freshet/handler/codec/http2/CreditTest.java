package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.junit.jupiter.api.Test;

/** The receive windows: 100,000 octets for the connection, 1,000 for a stream, at most 150 of them unread. */
class CreditTest {
    private static final int MOST = 110_000;

    private final FrameWriter writer = new FrameWriter(new HpackEncoder());
    private final Stream stream = new Stream(null, 0);
    private final Credit credit = new Credit(
            writer,
            null,
            Http2Settings.defaults().toBuilder()
                    .connectionWindowSize(100_000)
                    .initialWindowSize(1_000)
                    .maxUnreadBytes(150)
                    .build(),
            MOST);

    private Credit enlarged() {
        stream.open(1, 0, 1_000);
        credit.enlarge();
        updates();
        return credit;
    }

    /** Returns the frames written since the last call: "stream+increment" for window updates, else the type. */
    private List<String> updates() {
        List<String> updates = new ArrayList<>();
        if (!writer.isEmpty()) {
            for (ChannelBuffer frames = FrameWriterTest.take(writer); frames.readable(); ) {
                int length = frames.readUnsignedMedium();
                FrameType type = FrameType.of(frames.readUnsignedByte());
                frames.skipBytes(1);
                int id = frames.readInt();
                ChannelBuffer payload = frames.readSlice(length);
                updates.add(type == FrameType.WINDOW_UPDATE ? id + "+" + payload.readInt() : type.name());
            }
        }
        return updates;
    }

    @Test
    void shouldGrowTheConnectionsWindowToItsConfiguredSize() {
        credit.enlarge();
        assertEquals(List.of("0+34465"), updates());
        credit.enlarge();
        assertEquals(List.of(), updates(), "it has that size");
        assertEquals(100_000, credit.connectionWindow());
        assertEquals(1_000, credit.streamWindow());
    }

    @Test
    void shouldRefuseOctetsBeyondEitherWindow() {
        enlarged();
        assertTrue(credit.take(stream, 1_000));
        assertEquals(0, stream.receiveWindow());
        assertFalse(credit.take(stream, 1));
        assertTrue(credit.take(null, 98_999));
        assertFalse(credit.take(null, 1));
        assertEquals(100_001, credit.totalReceived());
    }

    @Test
    void shouldReturnTheConnectionsCreditOnceThePeerMaySendNoMoreThanThat() {
        enlarged();
        credit.take(null, 49_999);
        credit.drop(49_999);
        assertEquals(List.of(), updates());
        credit.take(null, 1);
        credit.drop(1);
        assertEquals(List.of("0+50000"), updates());
        assertTrue(credit.take(null, 100_000));
        assertFalse(credit.take(null, 1));
    }

    @Test
    void shouldReturnAStreamsCreditAfterHalfAWindowThatIsRead() {
        enlarged();
        credit.take(stream, 600);
        credit.hold(stream, 600);
        credit.giveBack(stream, 499);
        assertEquals(101, stream.held);
        assertEquals(List.of(), updates());
        credit.giveBack(stream, 1);
        assertEquals(List.of("1+500"), withoutPing());
        assertEquals(900, stream.receiveWindow());
        credit.giveBack(stream, 1_000_000);
        assertEquals(0, stream.held, "no octet is returned twice");
        credit.giveBack(stream, 500);
        assertEquals(List.of(), withoutPing());
    }

    private List<String> withoutPing() {
        return updates().stream().filter(each -> !each.equals("PING")).toList();
    }

    @Test
    void shouldReturnAStreamsCreditOnlyWhileThePeerMaySendOnIt() {
        enlarged();
        credit.take(stream, 600);
        credit.hold(stream, 600);
        stream.endRemote();
        credit.giveBack(stream, 600);
        assertEquals(List.of(), withoutPing());
    }

    @Test
    void shouldOweTheConnectionsCreditOfUnreadContentBeyondTheLimit() {
        enlarged();
        credit.take(stream, 150);
        credit.hold(stream, 150);
        assertFalse(credit.isShort());
        credit.take(null, 49_600);
        credit.drop(49_600);
        credit.take(stream, 300);
        credit.hold(stream, 300); // owed
        assertFalse(credit.isShort());
        assertEquals(List.of(), updates(), "49,750 of 50,050 are returned, and the peer may send 49,950");
        credit.giveBack(stream, 100);
        assertEquals(List.of(), updates());
        credit.giveBackAll(stream);
        assertEquals(0, stream.held);
        assertEquals(List.of("0+50050"), updates());
    }

    @Test
    void shouldReturnCreditOnArrivalUpToTheLimit() {
        enlarged();
        credit.take(stream, 150);
        credit.hold(stream, 150);
        credit.giveBackAll(stream);
        credit.take(stream, 150);
        credit.hold(stream, 150); // the first 150 were read
        credit.take(null, 49_699);
        credit.drop(49_699);
        assertEquals(List.of(), updates());
        credit.take(null, 1);
        credit.drop(1);
        assertEquals(List.of("0+50000"), updates());
    }

    @Test
    void shouldAnnounceNoCreditOfZero() {
        enlarged();
        stream.addReceiveWindow(200_000);
        credit.take(stream, 100_000);
        credit.hold(stream, 100_000);
        credit.drop(0);
        assertEquals(List.of(), updates());
    }

    @Test
    void shouldNotShrinkAWindow() {
        enlarged();
        credit.growConnectionWindow(100_000);
        credit.growConnectionWindow(99_999);
        credit.growStreamWindow(1_000);
        credit.growStreamWindow(999);
        assertEquals(List.of(), updates());
        assertEquals(100_000, credit.connectionWindow());
        assertEquals(1_000, credit.streamWindow());
        credit.growConnectionWindow(100_001);
        assertEquals(List.of("0+1"), updates());
        assertTrue(credit.take(null, 100_001));
    }

    @Test
    void shouldKnowThatUnreadContentIsWhatBlocksTheConnection() {
        enlarged();
        stream.addReceiveWindow(200_000);
        credit.take(stream, 50_000);
        credit.hold(stream, 50_000);
        assertFalse(credit.isShort(), "half of the window is left");
        assertFalse(credit.isWithheld());
        credit.take(stream, 1);
        credit.hold(stream, 1);
        assertTrue(credit.isShort());
        credit.take(stream, 49_998);
        credit.hold(stream, 49_998);
        assertFalse(credit.isWithheld());
        credit.take(stream, 1);
        credit.hold(stream, 1);
        assertTrue(credit.isWithheld());
        credit.giveBackAll(stream);
        assertFalse(credit.isShort());
        assertFalse(credit.isWithheld());
        assertEquals(List.of("0+100000"), updates());
    }

    @Test
    void shouldSendNoUpdatesOnceTheConnectionEnds() {
        enlarged();
        credit.take(stream, 1_000);
        credit.hold(stream, 1_000);
        credit.end();
        credit.giveBack(stream, 900);
        credit.take(null, 99_000);
        credit.drop(99_000);
        credit.growConnectionWindow(200_000);
        credit.growStreamWindow(2_000);
        assertEquals(List.of(), withoutPing());
        assertEquals(100_000, credit.connectionWindow());
        assertEquals(1_000, credit.streamWindow());
    }

    @Test
    void shouldDoubleTheConnectionsWindowIfTwoThirdsAreReadDuringARoundTrip() {
        Credit large = new Credit(
                writer,
                null,
                Http2Settings.defaults().toBuilder()
                        .connectionWindowSize(90_000)
                        .initialWindowSize(200_000)
                        .build(),
                MOST);
        large.tuner().onAck();
        large.tuner().onTaken(99_999);
        assertEquals(List.of(), updates());
        large.tuner().onTaken(1);
        assertEquals(List.of("PING"), updates());
        large.tuner().onTaken(59_999);
        large.tuner().onAck();
        assertEquals(List.of(), updates());
        assertEquals(90_000, large.connectionWindow());
        large.tuner().onTaken(59_999);
        large.tuner().onAck();
        assertEquals(90_000, large.connectionWindow(), "there was no round trip");
        large.tuner().onTaken(40_001);
        assertEquals(List.of("PING"), updates());
        large.tuner().onTaken(60_000);
        large.tuner().onAck();
        assertEquals(List.of("0+20000"), updates());
        assertEquals(MOST, large.connectionWindow(), "twice as large, but not above the maximum");
        large.tuner().onTaken(1_000_000);
        assertEquals(List.of(), updates(), "both have their maximum");
    }
}
