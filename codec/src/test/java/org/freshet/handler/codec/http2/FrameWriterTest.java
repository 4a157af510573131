package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.testing.Scarcity;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Frames as octets, and batches of them. */
class FrameWriterTest {
    private final FrameWriter writer = new FrameWriter(new HpackEncoder());

    static ChannelBuffer take(FrameWriter writer) {
        ChannelBuffer batch = writer.batch();
        writer.next();
        return batch;
    }

    private String taken() {
        return ChannelBuffers.hexDump(take(writer));
    }

    /** Takes the batch apart: type, flags, stream and length of each frame. */
    private static List<String> frames(ChannelBuffer batch) {
        List<String> frames = new ArrayList<>();
        while (batch.readable()) {
            int length = batch.readUnsignedMedium();
            FrameType type = FrameType.of(batch.readUnsignedByte());
            frames.add(type + " " + batch.readUnsignedByte() + " " + batch.readInt() + " " + length);
            batch.skipBytes(length);
        }
        return frames;
    }

    @Test
    void shouldWriteEachKindOfFrame() {
        assertTrue(writer.isEmpty());
        writer.writeSettings(0x0102, 0x03040506, 7, -1);
        assertFalse(writer.isEmpty());
        assertEquals(21, writer.length());
        assertEquals("00000c040000000000" + "010203040506" + "0007ffffffff", taken());
        assertTrue(writer.isEmpty());
        assertEquals(0, writer.length());
        writer.writeSettingsAck();
        assertEquals("000000040100000000", taken());
        writer.writePing(0x0102030405060708L, false);
        assertEquals("000008060000000000" + "0102030405060708", taken());
        writer.writePing(1, true);
        assertEquals("000008060100000000" + "0000000000000001", taken());
        writer.writeGoAway(0x01020304, Http2Error.ENHANCE_YOUR_CALM, "hi");
        assertEquals("00000a070000000000" + "01020304" + "0000000b" + "6869", taken());
        writer.writeReset(0x7f020304, Http2Error.CANCEL, true);
        assertEquals("00000403007f020304" + "00000008", taken());
        writer.writeWindowUpdate(3, 0x7fffffff);
        assertEquals("000004080000000003" + "7fffffff", taken());
        writer.writePriorityUpdate(5, "u=1");
        assertEquals("000007100000000000" + "00000005" + "753d31", taken());
        writer.writeRaw(new byte[] {1, 2});
        assertEquals("0102", taken());
        writer.writeDataHeader(9, 0x010203, true);
        assertEquals("010203000100000009", taken());
        writer.writeDataHeader(9, 1, false);
        writer.writeContent(ChannelBuffers.wrappedBuffer(new byte[] {5, 6, 7}), 1, 1);
        assertEquals("00000100000000000906", taken());
    }

    @Test
    void shouldCutTheTextOfAGoAway() {
        writer.writeGoAway(1, Http2Error.NO_ERROR, "x".repeat(129));
        assertEquals(List.of("GOAWAY 0 0 136"), frames(take(writer)));
        writer.writeGoAway(1, Http2Error.NO_ERROR, "");
        assertEquals(List.of("GOAWAY 0 0 8"), frames(take(writer)));
    }

    @Test
    void shouldCountOnlyFramesThatThePeerProvoked() {
        writer.writeSettings(1, 1);
        writer.writePing(1, false);
        writer.writeReset(1, Http2Error.CANCEL, false);
        writer.writeGoAway(1, Http2Error.NO_ERROR, "");
        writer.writeDataHeader(1, 0, true);
        assertEquals(0, writer.takeControlLength());
        writer.writeSettingsAck();
        assertEquals(9, writer.takeControlLength());
        writer.writePing(1, true);
        writer.writeReset(1, Http2Error.CANCEL, true);
        writer.writeWindowUpdate(1, 1);
        assertEquals(17 + 13 + 13, writer.takeControlLength());
        assertEquals(0, writer.takeControlLength());
    }

    @Test
    void shouldExpectOneAcknowledgementPerFrame() {
        assertFalse(writer.takeSettingsAck());
        assertFalse(writer.takePingAck());
        writer.writeSettings();
        writer.writeSettings();
        writer.writePing(1, false);
        writer.writeSettingsAck();
        writer.writePing(1, true);
        assertTrue(writer.takeSettingsAck());
        assertTrue(writer.takeSettingsAck());
        assertFalse(writer.takeSettingsAck());
        assertTrue(writer.takePingAck());
        assertFalse(writer.takePingAck());
    }

    @Test
    void shouldSplitABlockThatExceedsThePeersFrameSize() {
        FieldList fields = FieldList.of("x-long", "x".repeat(1_000));
        writer.writeFields(7, fields, true, 1 << 20);
        int length = writer.length() - 9;
        for (boolean endsStream : new boolean[] {true, false}) {
            FrameWriter other = new FrameWriter(new HpackEncoder());
            other.writeFields(7, fields, endsStream, length);
            String first = "HEADERS " + (endsStream ? 5 : 4) + " 7 ";
            assertEquals(List.of(first + length), frames(take(other)));
            other = new FrameWriter(new HpackEncoder());
            other.writeFields(7, fields, endsStream, length - 1);
            first = "HEADERS " + (endsStream ? 1 : 0) + " 7 ";
            assertEquals(List.of(first + (length - 1), "CONTINUATION 4 7 1"), frames(take(other)));
        }
        assertFalse(writer.isBroken());
    }

    @Test
    void shouldSplitABlockIntoPiecesThatMakeItUp() {
        FieldList fields = FieldList.of("x-long", "x".repeat(100), "x-other", "y".repeat(100));
        writer.writeFields(7, fields, true, 1 << 20);
        ChannelBuffer whole = take(writer);
        whole.skipBytes(FrameType.HEADER_LENGTH);
        int size = whole.readableBytes() / 3 - 1;
        FrameWriter other = new FrameWriter(new HpackEncoder());
        other.writeSettingsAck();
        other.writeFields(7, fields, true, size);
        other.writeSettingsAck();
        ChannelBuffer batch = take(other);
        ChannelBuffer block = ChannelBuffers.dynamicBuffer();
        List<String> frames = new ArrayList<>();
        while (batch.readable()) {
            int length = batch.readUnsignedMedium();
            frames.add(FrameType.of(batch.readUnsignedByte()) + " " + batch.readUnsignedByte() + " " + batch.readInt());
            block.writeBytes(batch, length);
        }
        assertEquals(
                List.of(
                        "SETTINGS 1 0",
                        "HEADERS 1 7",
                        "CONTINUATION 0 7",
                        "CONTINUATION 0 7",
                        "CONTINUATION 4 7",
                        "SETTINGS 1 0"),
                frames);
        assertEquals(whole, block);
    }

    @Test
    void shouldSendLongContentInPlaceAndCopyShortContent() {
        byte[] octets = new byte[4_000];
        ChannelBuffer content = ChannelBuffers.wrappedBuffer(octets);
        writer.writeDataHeader(1, 2_047, false);
        writer.writeContent(content, 0, 1_023);
        writer.writeContent(content, 1_023, 1_024);
        writer.writeWindowUpdate(1, 1);
        assertEquals(9 + 2_047 + 13, writer.length());
        assertFalse(writer.isEmpty());
        ChannelBuffer batch = take(writer);
        Arrays.fill(octets, (byte) 1);
        assertEquals(0, batch.getByte(9 + 1_022), "copied");
        assertEquals(1, batch.getByte(9 + 1_023), "in place");
        assertEquals(List.of("DATA 0 1 2047", "WINDOW_UPDATE 0 1 4"), frames(batch));
        assertEquals(0, writer.length());
    }

    @Test
    void shouldKeepABatchUntilTheNextOneBegins() {
        assertFalse(writer.batch().readable());
        writer.writeDataHeader(1, 2_000, false);
        writer.writeContent(ChannelBuffers.buffer(2_000), 0, 2_000);
        writer.writeWindowUpdate(1, 1);
        ChannelBuffer first = writer.batch();
        assertEquals(first, writer.batch());
        writer.writeSettingsAck();
        assertEquals(List.of("DATA 0 1 2000", "WINDOW_UPDATE 0 1 4", "SETTINGS 1 0 0"), frames(writer.batch()));
    }

    /** There is no memory for a slice of the content, so the peer would take the next frame for it. */
    @Test
    void shouldBeBrokenOnceContentIsMissing() {
        ChannelBuffer content = new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[2_000])) {
            @Override
            public ChannelBuffer slice(int index, int length) {
                throw new OutOfMemoryError("injected by a test");
            }
        };
        writer.writeDataHeader(1, 2_000, false);
        Scarcity.survive(() -> writer.writeContent(content, 0, 2_000));
        assertTrue(writer.isBroken());
        writer.writeDataHeader(3, 0, true);
        assertTrue(writer.isBroken());
        assertEquals("0007d0000000000001" + "000000000100000003", taken());
    }

    @Test
    void shouldStayBrokenOnceContentWasTakenThatNoFrameHas() {
        writer.breakOff();
        writer.writeFields(1, new FieldList(), true, 1 << 20);
        assertTrue(writer.isBroken(), "a complete head doesn't mend what was cut before it");
    }

    /** They fill several arrays. */
    @Test
    void shouldJoinManyShortFrames() {
        ChannelBuffer expected = ChannelBuffers.dynamicBuffer();
        for (int id = 1; id < 1_000; id += 2) {
            writer.writeDataHeader(id, 100, id == 999);
            writer.writeContent(ChannelBuffers.wrappedBuffer(new byte[100]), 0, 100);
            expected.writeMedium(100);
            expected.writeShort(id == 999 ? 1 : 0);
            expected.writeInt(id);
            expected.writeZero(100);
        }
        assertEquals(expected.readableBytes(), writer.length());
        assertEquals(expected, take(writer));
        writer.writeSettingsAck();
        assertEquals("000000040100000000", taken());
    }

    @Test
    void shouldJoinAnyNumberOfFramesInOrder() {
        Random random = Seeds.random();
        for (int round = 0; round < 20; round++) {
            ChannelBuffer expected = ChannelBuffers.dynamicBuffer();
            for (int i = random.nextInt(200); i > 0; i--) {
                byte[] octets = new byte[random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(300)];
                random.nextBytes(octets);
                writer.writeDataHeader(1, octets.length, false);
                writer.writeContent(ChannelBuffers.wrappedBuffer(octets), 0, octets.length);
                expected.writeMedium(octets.length);
                expected.writeMedium(0);
                expected.writeMedium(1);
                expected.writeBytes(octets);
                assertEquals(expected.readableBytes(), writer.length());
            }
            if (expected.readable()) {
                byte[] all = new byte[expected.readableBytes()];
                expected.readBytes(all);
                ChannelBuffer batch = take(writer);
                byte[] taken = new byte[batch.readableBytes()];
                batch.readBytes(taken);
                assertArrayEquals(all, taken, "seed " + Seeds.seed());
            }
        }
    }
}
