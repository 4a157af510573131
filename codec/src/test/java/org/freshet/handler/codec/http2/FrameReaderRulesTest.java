package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.PUSH_PROMISE;
import static org.freshet.handler.codec.http2.FramePeer.RST_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.WINDOW_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader makes of each kind of frame, of padding, and of short frames that come together. */
class FrameReaderRulesTest {
    private FrameLog log = new FrameLog(false);
    private FrameReader reader = log.reader();

    private void begin(boolean merges) {
        log = new FrameLog(merges);
        reader = log.reader();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static byte[] all(byte[]... frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        return all.toByteArray();
    }

    private List<String> read(byte[]... frames) throws Http2Exception {
        reader.read(ChannelBuffers.wrappedBuffer(all(frames)));
        return log.take();
    }

    // ---- each kind of frame ----

    @Test
    void shouldReadEachKindOfFrame() throws Http2Exception {
        assertEquals(List.of("settings 000400000001"), read(frame(SETTINGS, 0, 0, hex("0004 00000001"))));
        assertEquals(List.of("settings ack"), read(frame(SETTINGS, ACK, 0)));
        assertEquals(List.of("ping 8102030405f6f7f8"), read(frame(PING, 0, 0, hex("8102030405f6f7f8"))));
        assertEquals(List.of("ping ack 80ffffff7fffffff"), read(frame(PING, ACK, 0, hex("80ffffff7fffffff"))));
        assertEquals(List.of("reset 1 CANCEL"), read(frame(RST_STREAM, 0, 1, hex("00000008"))));
        assertEquals(List.of("window 0 2147483647"), read(frame(WINDOW_UPDATE, 0, 0, hex("ffffffff"))));
        assertEquals(List.of("window 2147483647 1"), read(frame(WINDOW_UPDATE, 0, 0xffffffff, hex("00000001"))));
        assertEquals(
                List.of("goaway 2147483647 NO_ERROR why"), read(frame(GOAWAY, 0, 0, hex("ffffffff 00000000 776879"))));
        assertEquals(List.of("goaway 3 PROTOCOL_ERROR "), read(frame(GOAWAY, 0, 0, hex("00000003 00000001"))));
        assertEquals(List.of("priority 3"), read(frame(PRIORITY, 0, 3, hex("80000001 10"))));
        assertEquals(List.of("priority update 5 u=1"), read(frame(PRIORITY_UPDATE, 0, 0, hex("80000005 753d31"))));
        assertEquals(List.of("headers 1 abcd"), read(frame(HEADERS, END_HEADERS, 1, hex("abcd"))));
        assertEquals(List.of("headers 1  END"), read(frame(HEADERS, END_HEADERS | END_STREAM, 1)));
        assertEquals(List.of(), read(frame(0x11, 0xff, 7, hex("abcd")), frame(0xff, 0, 0)), "unknown");
    }

    @Test
    void shouldReadFramesOfABufferWithoutAnArray() throws Http2Exception {
        byte[] two = all(frame(PING, 0, 0, hex("0102030405060708")), frame(RST_STREAM, 0, 1, hex("00000008")));
        for (int cut = 0; cut <= two.length; cut++) {
            for (int part = 0; part < 2; part++) {
                ChannelBuffer direct = ChannelBuffers.directBuffer(two.length);
                direct.writeBytes(two, part == 0 ? 0 : cut, part == 0 ? cut : two.length - cut);
                reader.read(direct);
            }
            assertEquals(List.of("ping 102030405060708", "reset 1 CANCEL"), log.take(), "cut at " + cut);
        }
    }

    @Test
    void shouldSkipUnknownFramesHoweverTheyAreCut() throws Http2Exception {
        byte[] all = all(frame(0x20, 0xff, 1, new byte[20]), frame(0x21, 0, 0), frame(PING, 0, 0, new byte[8]));
        for (int cut = 0; cut <= all.length; cut++) {
            reader.read(ChannelBuffers.wrappedBuffer(all, 0, cut));
            reader.read(ChannelBuffers.wrappedBuffer(all, cut, all.length - cut));
            assertEquals(List.of("ping 0"), log.take(), "cut at " + cut);
        }
    }

    @Test
    void shouldKeep256CharactersOfTexts() throws Http2Exception {
        byte[] payload = new byte[8 + 300];
        Arrays.fill(payload, (byte) 'x');
        assertEquals(
                "goaway 2021161080 INTERNAL_ERROR " + "x".repeat(256),
                read(frame(GOAWAY, 0, 0, payload)).get(0));
        assertEquals(
                "priority update 2021161080 " + "x".repeat(256),
                read(frame(PRIORITY_UPDATE, 0, 0, payload)).get(0));
    }

    @ParameterizedTest
    @CsvSource({"-1", "14", "2147483647"})
    void shouldTakeAnUnknownErrorForAnInternalOne(int code) {
        assertEquals(Http2Error.INTERNAL_ERROR, Http2Error.of(code));
        assertEquals(Http2Error.HTTP_1_1_REQUIRED, Http2Error.of(13));
        assertEquals(Http2Error.NO_ERROR, Http2Error.of(0));
    }

    @Test
    void shouldRemovePaddingAndPrioritiesFromHeaders() throws Http2Exception {
        int priority = 0x20;
        assertEquals(List.of("headers 1 abcd"), read(frame(HEADERS, END_HEADERS | PADDED, 1, hex("02 abcd 0000"))));
        assertEquals(List.of("headers 1 "), read(frame(HEADERS, END_HEADERS | PADDED, 1, hex("02 0000"))));
        assertEquals(
                List.of("headers 3 abcd"), read(frame(HEADERS, END_HEADERS | priority, 3, hex("00000001 ff abcd"))));
        assertEquals(List.of("headers 3 "), read(frame(HEADERS, END_HEADERS | priority, 3, hex("00000001 ff"))));
        assertEquals(
                List.of("headers 3 ab END"),
                read(frame(HEADERS, 0x2d, 3, hex("03 80000001 ff ab 000000"))),
                "all flags");
        assertEquals(
                List.of("headers 1 abcdef01 END"),
                read(
                        frame(HEADERS, PADDED | END_STREAM, 1, hex("01 ab 00")),
                        frame(CONTINUATION, 0, 1, hex("cdef")),
                        frame(CONTINUATION, END_HEADERS, 1, hex("01"))));
    }

    private void assertRefused(Http2Error error, byte[]... frames) {
        begin(false);
        assertEquals(
                error, assertThrows(Http2Exception.class, () -> read(frames)).error());
    }

    @Test
    void shouldRefuseFramesThatCannotBe() {
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(HEADERS, PADDED | END_HEADERS, 1, hex("02 00")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(HEADERS, 0x2c, 1, hex("01 00000003 ff")));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, frame(HEADERS, 0x2c, 1, hex("00 00000003")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(HEADERS, 0x24, 3, hex("00000003 ff")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(HEADERS, 0x24, 3, hex("80000003 ff")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(PRIORITY, 0, 3, hex("80000003 ff")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(WINDOW_UPDATE, 0, 0, hex("80000000")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(PUSH_PROMISE, END_HEADERS, 1, hex("00000002")));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, frame(SETTINGS, 0, 0, hex("0004000000")));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, frame(SETTINGS, ACK, 0, hex("000400000001")));
        assertRefused(Http2Error.PROTOCOL_ERROR, frame(DATA, PADDED, 1, hex("01")));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, frame(DATA, PADDED, 1));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, frame(0x20, 0, 0, new byte[16 * 1024 + 1]));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, hex("010000 20 00 00000000"));
        assertRefused(Http2Error.FRAME_SIZE_ERROR, hex("800000 20 00 00000000"));
    }

    @Test
    void shouldSayWhichBlockAFrameHasInterrupted() {
        assertEquals(
                "CONTINUATION frame without an open field block",
                assertThrows(Http2Exception.class, () -> read(frame(CONTINUATION, 0, 1)))
                        .getMessage());
        begin(false);
        assertEquals(
                "frame on stream 3 within a field block of stream 1",
                assertThrows(Http2Exception.class, () -> read(frame(HEADERS, 0, 1), frame(CONTINUATION, 0, 3)))
                        .getMessage());
        begin(false);
        assertEquals(
                "frame on stream 1 within a field block of stream 1",
                assertThrows(Http2Exception.class, () -> read(frame(HEADERS, 0, 1), frame(DATA, 0, 1)))
                        .getMessage());
    }

    @Test
    void shouldAcceptAFrameOfTheLargestSize() throws Http2Exception {
        assertEquals(List.of(), read(frame(0x20, 0, 0, new byte[16 * 1024])));
        assertEquals(
                "begins 1 16384", read(frame(DATA, 0, 1, new byte[16 * 1024])).get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000004010000000000", "000008060000000000"})
    void shouldBeginWithSettings(String first) {
        FrameReader fresh =
                new FrameReader(new FrameLog(false), new AbuseGuard(() -> 0, Http2AbuseLimits.none(), 100), 16 * 1024);
        Http2Exception failure =
                assertThrows(Http2Exception.class, () -> fresh.read(ChannelBuffers.wrappedBuffer(hex(first))));
        assertEquals("the peer's first frame is not SETTINGS", failure.getMessage());
    }

    /** A frame that has to be complete has a time limit; each has a number of its own. */
    @Test
    void shouldNumberFramesThatAreHeld() throws Http2Exception {
        assertEquals(0, reader.cutFrame());
        reader.read(ChannelBuffers.wrappedBuffer(frame(PING, 0, 0, new byte[8]), 0, 12));
        long ping = reader.cutFrame();
        assertEquals(2, ping, "after SETTINGS");
        reader.read(ChannelBuffers.wrappedBuffer(new byte[5]));
        assertEquals(0, reader.cutFrame());
        read(frame(HEADERS, 0, 1));
        assertEquals(3, reader.cutFrame());
        read(frame(CONTINUATION, 0, 1, hex("ab")));
        assertEquals(3, reader.cutFrame(), "a part of the same block");
        read(frame(CONTINUATION, END_HEADERS, 1));
        assertEquals(0, reader.cutFrame());
        reader.read(ChannelBuffers.wrappedBuffer(frame(DATA, 0, 1, new byte[8]), 0, 12));
        assertEquals(0, reader.cutFrame(), "its content is passed on");
    }

    // ---- DATA ----

    /** Whatever the pieces, what counts for the windows is the length of the frame. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 1, 0", "0, 0, 2", "0, 3, 2", "1, 0, 0", "1, 3, 0", "1, 0, 2", "1, 3, 2"})
    void shouldCountPaddingInEveryPiece(int endsStream, int contentBytes, int paddingBytes) throws Http2Exception {
        byte[] payload = new byte[1 + contentBytes + paddingBytes];
        payload[0] = (byte) paddingBytes;
        for (int i = 1; i <= contentBytes; i++) {
            payload[i] = (byte) i;
        }
        byte[] frame = frame(DATA, PADDED | endsStream, 1, payload);
        for (int cut = 0; cut <= frame.length; cut++) {
            reader.read(ChannelBuffers.wrappedBuffer(frame, 0, cut));
            reader.read(ChannelBuffers.EMPTY_BUFFER);
            reader.read(ChannelBuffers.wrappedBuffer(frame, cut, frame.length - cut));
            List<String> parts = log.take();
            assertEquals("begins 1 " + payload.length + (endsStream == 1 ? " END" : ""), parts.get(0));
            int counted = 0;
            StringBuilder content = new StringBuilder();
            for (String part : parts.subList(1, parts.size())) {
                String[] words = part.split(" ");
                content.append(words[2]);
                counted += Integer.parseInt(words[3]);
            }
            assertEquals(payload.length, counted, parts.toString());
            assertEquals("010203".substring(0, 2 * contentBytes), content.toString());
            long ends =
                    parts.stream().skip(1).filter(part -> part.endsWith("END")).count();
            assertEquals(endsStream, ends, parts.toString());
            assertEquals(endsStream == 1, parts.get(parts.size() - 1).endsWith("END"), parts.toString());
        }
    }

    private static byte[] content(int streamId, int length) {
        byte[] octets = new byte[length];
        Arrays.fill(octets, (byte) length);
        return frame(DATA, 0, streamId, octets);
    }

    /** The lengths of the content that was passed on. */
    private List<Integer> pieces(byte[]... frames) throws Http2Exception {
        return read(frames).stream()
                .filter(call -> call.startsWith("data "))
                .map(call -> Integer.parseInt(call.split(" ")[3]))
                .toList();
    }

    @Test
    void shouldMergeShortFramesOfAStreamIfItMay() throws Http2Exception {
        byte[][] three = {frame(DATA, 0, 1, hex("01")), frame(DATA, 0, 1, hex("0203")), frame(DATA, 0, 1, hex("04"))};
        assertEquals(List.of(1, 2, 1), pieces(three));
        begin(true);
        assertEquals(List.of("begins 1 1", "begins 1 2", "begins 1 1", "data 1 01020304 4"), read(three));
        assertEquals(List.of("begins 1 1", "data 1 01 1"), read(frame(DATA, 0, 1, hex("01"))));
    }

    @Test
    void shouldMergeOnlyShortFrames() throws Http2Exception {
        begin(true);
        assertEquals(List.of(1023 + 1023), pieces(content(1, 1023), content(1, 1023)));
        assertEquals(List.of(1024, 1), pieces(content(1, 1024), content(1, 1)));
        assertEquals(List.of(1, 1024), pieces(content(1, 1), content(1, 1024)));
        assertEquals(List.of(1, 2), pieces(content(1, 1), content(1, 0), content(1, 2)), "1; 0 and 2");
    }

    @Test
    void shouldMergeNoMoreThan16KiB() throws Http2Exception {
        begin(true);
        byte[][] frames = new byte[40][];
        Arrays.fill(frames, content(1, 512));
        assertEquals(List.of(16 * 1024, 8 * 512), pieces(frames));
        frames[31] = content(1, 513);
        assertEquals(List.of(31 * 512, 513 + 8 * 512), pieces(frames));
    }

    @Test
    void shouldMergeNothingWithAFlagOrOfAnotherStream() throws Http2Exception {
        begin(true);
        assertEquals(List.of(1, 1), pieces(content(1, 1), frame(DATA, END_STREAM, 1, new byte[1])));
        assertEquals(List.of(1, 1), pieces(frame(DATA, 0x40, 1, new byte[1]), content(1, 1)));
        assertEquals(List.of(1), pieces(content(1, 1), frame(HEADERS, END_HEADERS, 1, new byte[1])));
        int id = 0x12345677;
        for (int other : new int[] {id ^ 1 << 30, id ^ 1 << 20, id ^ 1 << 10, id ^ 2}) {
            assertEquals(List.of(1, 1), pieces(content(id, 1), content(other, 1)));
        }
        assertEquals(List.of(2), pieces(content(id, 1), content(id, 1)));
        assertEquals(List.of(2), pieces(content(id, 1), content(id | 1 << 31, 1)), "a bit without a meaning");
        assertEquals(List.of(2), pieces(content(0x7ff1f2f3, 1), content(0x7ff1f2f3, 1)), "octets of 128 and more");
    }

    @Test
    void shouldMergeOnlyWholeFrames() throws Http2Exception {
        begin(true);
        byte[] two = all(content(1, 3), content(1, 5));
        for (int cut = 12; cut < two.length; cut++) {
            reader.read(ChannelBuffers.wrappedBuffer(two, 0, cut));
            assertEquals("data 1 030303 3", log.take().get(1), "at " + cut);
            reader.read(ChannelBuffers.wrappedBuffer(two, cut, two.length - cut));
            log.take();
        }
        reader.read(ChannelBuffers.wrappedBuffer(two));
        assertEquals("data 1 0303030505050505 8", log.take().get(2));
    }

    /** What came before the refused frame is passed on. */
    @Test
    void shouldCheckEachMergedFrame() {
        begin(true);
        log.refusedLength = 3;
        assertThrows(Http2Exception.class, () -> read(content(1, 1), content(1, 2), content(1, 3), content(1, 4)));
        List<String> calls = log.take();
        assertEquals("data 1 010202", calls.get(calls.size() - 1).substring(0, 13));
        assertEquals(3, calls.stream().filter(call -> call.startsWith("begins")).count());
    }
}
