package org.freshet.handler.codec.stomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the inputs, {@code ^} stands for NUL. Each input is also fed in every split. */
class StompFrameDecoderTest {
    private static final String CONNECTED_1_0 = "CONNECTED\n\n^";
    private static final String CONNECTED_1_1 = "CONNECTED\nversion:1.1\n\n^";

    /** Decodes the input with default limits. */
    private static List<Object> decode(String input) {
        return StompText.decode(StompFrameDecoder::new, input);
    }

    /** Lines of 20 bytes, 3 headers, chunks of 4 bytes, content of 10 bytes. */
    private static List<Object> decodeSmall(String input) {
        return StompText.decode(() -> new StompFrameDecoder(20, 3, 4, 10), input);
    }

    /** The last outcome, after the CONNECTED frame if there is one. */
    private static Object last(List<Object> outcomes) {
        return outcomes.get(outcomes.size() - 1);
    }

    // ---- frames ----

    @Test
    void shouldDecodeFramesWithAndWithoutContent() {
        assertEquals(
                List.of(
                        "CONNECT {accept-version: 1.2, host: example.org} ",
                        "SEND {destination: /a, content-length: 3} a^b",
                        "SEND {destination: /b} hello",
                        "DISCONNECT {receipt: 7} "),
                decode("CONNECT\naccept-version:1.2\nhost:example.org\n\n^"
                        + "SEND\ndestination:/a\ncontent-length:3\n\na^b^\nSEND\ndestination:/b\n\nhello^"
                        + "DISCONNECT\nreceipt:7\n\n^\n"));
    }

    @Test
    void shouldDecodeEachCommand() {
        for (StompCommand command : StompCommand.values()) {
            assertEquals(List.of(command + " {id: 1} "), decode(command + "\nid:1\n\n^"));
        }
    }

    @Test
    void shouldReturnTheFirstOfRepeatedHeaders() {
        MemoryChannel channel = MemoryChannel.connected(new StompFrameDecoder());
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("MESSAGE\nfoo:World\nfoo:Hello\n\n^")));
        StompHeaders headers = ((StompFrame) channel.takeReceived().get(0)).headers();
        assertEquals("World", headers.get("foo"));
        assertEquals(List.of("World", "Hello"), headers.getAll("foo"));
        assertNull(headers.get("Foo"));
    }

    @Test
    void shouldKeepBlanksAndFurtherColons() {
        assertEquals(List.of("SEND { a :  b , c: d:e, empty: } "), decode("SEND\n a : b \nc:d:e\nempty:\n\n^"));
    }

    @Test
    void shouldDecodeUtf8() {
        assertEquals(List.of("SEND {größe: 12 €} \uD83D\uDE00"), decode("SEND\ngröße:12 €\n\n\uD83D\uDE00^"));
    }

    @Test
    void shouldDropHeartBeatsOfEachForm() {
        assertEquals(List.of(), decode("\n"));
        assertEquals(List.of(), decode("\r\n"));
        assertEquals(List.of(), decode("\n\r\n\n\r\n\r"));
        assertEquals(List.of("BEGIN {transaction: 1} "), decode("\n\r\nBEGIN\ntransaction:1\n\n^\r\n\n\r\n"));
    }

    @Test
    void shouldRefuseACrBetweenFramesWithoutItsLf() {
        assertEquals(List.of("CorruptedFrameException: CR without LF between frames"), decode("\n\r\rSEND\n\n^"));
    }

    @Test
    void shouldWorkOnBuffersWithoutArray() {
        byte[] bytes = StompText.wire("SEND\na:b\\nc\n\nhi^");
        ChannelBuffer direct = ChannelBuffers.directBuffer(bytes.length);
        direct.writeBytes(bytes);
        MemoryChannel channel = MemoryChannel.connected(new StompFrameDecoder());
        channel.receive(direct);
        assertEquals("SEND {a: b\nc} hi", StompText.shown(channel.takeReceived().get(0)));
    }

    // ---- versions ----

    @Test
    void shouldDecodeTheEscapesOfEachVersion() {
        String frame = "SEND\na\\cb:\\\\x\\ny\n\n^";
        assertEquals("SEND {a:b: \\x\ny} ", last(decode(frame)));
        assertEquals("SEND {a:b: \\x\ny} ", last(decode(CONNECTED_1_1 + frame)));
        assertEquals("SEND {a\\cb: \\\\x\\ny} ", last(decode(CONNECTED_1_0 + frame)));
        assertEquals("SEND {a: x\ry} ", last(decode("SEND\na:x\\ry\n\n^")));
    }

    @Test
    void shouldDecodeNoEscapesInFramesThatOpenAConnection() {
        for (String command : List.of("CONNECT", "STOMP", "CONNECTED")) {
            assertEquals(
                    List.of(command + " {version: 1.2, a: \\n\\t\\} "),
                    decode(command + "\nversion:1.2\na:\\n\\t\\\n\n^"));
        }
    }

    @Test
    void shouldRefuseEscapesThatTheVersionLacks() {
        assertEquals(
                "CorruptedFrameException: header has an escape that STOMP 1.2 does not define: a backslash before byte 116",
                last(decode("SEND\na:\\t\n\n^")));
        assertEquals(
                "CorruptedFrameException: header has an escape that STOMP 1.2 does not define: a backslash at its end",
                last(decode("SEND\na:b\\\n\n^")));
        assertEquals(
                "CorruptedFrameException: header has an escape that STOMP 1.1 does not define: a backslash before byte 114",
                last(decode(CONNECTED_1_1 + "SEND\na:\\r\n\n^")));
    }

    @Test
    void shouldEndLinesWithCrLfInVersion12Only() {
        assertEquals(List.of("SEND {a: b} hi"), decode("SEND\r\na:b\r\n\r\nhi^"));
        assertEquals(List.of("CONNECT {a: b} "), decode("CONNECT\r\na:b\n\r\n^"));
        assertEquals("SEND {a: b\r} hi", last(decode(CONNECTED_1_1 + "SEND\na:b\r\n\nhi^")));
        assertEquals("SEND {a: b\r} hi", last(decode(CONNECTED_1_0 + "SEND\na:b\r\n\nhi^")));
        assertEquals("CorruptedFrameException: unknown command: SEND?", last(decode(CONNECTED_1_1 + "SEND\r\n\n^")));
        assertEquals("CorruptedFrameException: a SEND frame has a header with a CR", last(decode("SEND\na:b\rc\n\n^")));
    }

    @Test
    void shouldLearnTheVersionFromTheConnectedFrameThatIsWritten() {
        MemoryChannel channel = MemoryChannel.connected(new StompFrameDecoder(), new StompFrameEncoder());
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("CONNECT\n\n^")));
        channel.write(new StompFrame(StompCommand.CONNECTED)); // 1.0 has no version header
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("SEND\na:\\n\n\n^")));
        assertEquals("SEND {a: \\n} ", StompText.shown(channel.takeReceived().get(1)));
    }

    @Test
    void shouldAllowContentForAFewCommandsOnly() {
        String failure =
                "CorruptedFrameException: a SUBSCRIBE frame has content, which only SEND, MESSAGE and ERROR may have";
        assertEquals(List.of(failure), decode("SUBSCRIBE\n\nx^"));
        assertEquals(List.of(failure), decode("SUBSCRIBE\ncontent-length:1\n\nx^"));
        assertEquals(List.of("SUBSCRIBE {content-length: 0} "), decode("SUBSCRIBE\ncontent-length:0\n\n^"));
        assertEquals("SUBSCRIBE {} x", last(decode(CONNECTED_1_0 + "SUBSCRIBE\n\nx^")));
    }

    // ---- what is refused ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HELO~~^|unknown command: HELO",
                "send~~^|unknown command: send",
                "^|unknown command: ?",
                "SEND~:b~~^|a SEND frame has a header with an empty name",
                "SEND~a~~^|a SEND frame has a header line without a colon",
                "SEND~a:^b~~^|a SEND frame has a header with a NUL",
                "SEND~content-length:~~^|a SEND frame has a malformed content-length",
                "SEND~content-length:-1~~^|a SEND frame has a malformed content-length",
                "SEND~content-length:+1~~a^|a SEND frame has a malformed content-length",
                "SEND~content-length: 1~~a^|a SEND frame has a malformed content-length",
                "SEND~content-length:9999999999999999999~~a^|a SEND frame has a malformed content-length",
                "SEND~content-length:1~~ab^|a SEND frame has no NUL after its content-length",
                "SEND~content-length:0~~b^|a SEND frame has no NUL after its content-length",
            })
    void shouldRefuseWhatBreaksTheGrammarAndDropTheRest(String input, String message) {
        String text = input.replace('~', '\n') + "\nSEND\n\nnever^";
        if (input.equals("^")) {
            text = "^\n";
        }
        assertEquals(List.of("CorruptedFrameException: " + message), decode(text));
    }

    @Test
    void shouldParseNothingAfterAFailure() {
        MemoryChannel channel = MemoryChannel.connected(new StompFrameDecoder());
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("HELO\n\n^SEND\n\n^")));
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("SEND\n\n^")));
        channel.close();
        assertEquals(List.of(), channel.takeReceived());
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught.toString());
        assertTrue(caught.get(0) instanceof CorruptedFrameException, caught.toString());
    }

    // ---- limits ----

    /** CVE-2026-44891: endless headers. */
    @Test
    void shouldLimitHeaders() {
        StringBuilder head = new StringBuilder("SEND\n");
        for (int i = 0; i < 128; i++) {
            head.append("a:b\n");
        }
        byte[] atLimit = StompText.wire(head + "\n^");
        assertEquals(1, StompText.decodeWhole(new StompFrameDecoder(), atLimit).size());
        byte[] endless = StompText.wire(head + "a:b\na:b\n");
        assertEquals(
                List.of("TooLongFrameException: a SEND frame has more than 128 headers"),
                StompText.decodeWhole(new StompFrameDecoder(), endless));
        assertEquals(
                List.of("TooLongFrameException: a SEND frame has more than 3 headers"),
                decodeSmall("SEND\na:\nb:\nc:\nd:\n\n^"));
    }

    @Test
    void shouldLimitLines() {
        String line = "a:123456789012345678"; // 20 bytes
        assertEquals(List.of("SEND {a: 123456789012345678} "), decodeSmall("SEND\n" + line + "\r\n\n^"));
        String failure = "TooLongFrameException: a line of a frame's head is longer than 20 bytes";
        assertEquals(List.of(failure), decodeSmall("SEND\n" + line + "9\n\n^"));
        assertEquals(List.of(failure), decodeSmall("SEND\n" + line + "90"));
        assertEquals(List.of(failure), decodeSmall("SENDSENDSENDSENDSENDSEND"));
        assertEquals(List.of(failure), decodeSmall("SENDSENDSENDSENDSENDS\n"));
        byte[] endless = StompText.wire("SEND\n" + "a".repeat(1026));
        assertEquals(
                List.of("TooLongFrameException: a line of a frame's head is longer than 1024 bytes"),
                StompText.decodeWhole(new StompFrameDecoder(), endless));
    }

    @Test
    void shouldLimitContent() {
        String failure = "TooLongFrameException: the content of a SEND frame is longer than 10 bytes";
        assertEquals(
                List.of("SEND {content-length: 10} ...", "1234", "5678", "90", "end"),
                decodeSmall("SEND\ncontent-length:10\n\n1234567890^"));
        assertEquals(List.of(failure), decodeSmall("SEND\ncontent-length:11\n\n"));
        assertEquals(List.of("SEND {} ...", "1234", "5678", "90", "end"), decodeSmall("SEND\n\n1234567890^"));
        assertEquals(List.of("SEND {} ...", "1234", "5678", failure), decodeSmall("SEND\n\n12345678901^"));
        assertEquals(List.of("SEND {} ...", "1234", "5678", failure), decodeSmall("SEND\n\n12345678901234567890"));
        assertEquals(
                List.of(failure.replace("10", "3")),
                StompText.decode(() -> new StompFrameDecoder(20, 3, 4, 3), "SEND\n\n1234"));
        assertEquals(
                List.of(failure.replace("10", "0")),
                StompText.decode(() -> new StompFrameDecoder(20, 3, 4, 0), "SEND\n\n1"));
        assertEquals(
                List.of("SEND {} ...", "1234", "5678", failure.replace("10", "8")),
                StompText.decode(() -> new StompFrameDecoder(20, 3, 4, 8), "SEND\n\n123456789"));
        assertEquals(64L << 20, StompFrameDecoder.DEFAULT_MAX_CONTENT_LENGTH);
    }

    @Test
    void shouldSendLongContentInChunks() {
        assertEquals(List.of("SEND {} 1234", "SEND {} "), decodeSmall("SEND\n\n1234^SEND\n\n^"));
        assertEquals(
                List.of("SEND {} ...", "1234", "5", "end", "SEND {} x"), decodeSmall("SEND\n\n12345^\nSEND\n\nx^"));
        assertEquals(List.of("SEND {} ...", "1234", "5678", "end"), decodeSmall("SEND\n\n12345678^"));
        assertEquals(
                List.of("SEND {content-length: 5} ...", "12^4", "^", "end", "SEND {} x"),
                decodeSmall("SEND\ncontent-length:5\n\n12^4^^SEND\n\nx^"));
        assertEquals(List.of("SEND {content-length: 4} 1234"), decodeSmall("SEND\ncontent-length:4\n\n1234^"));
        assertEquals(
                List.of(
                        "SEND {content-length: 5} ...",
                        "1234",
                        "5",
                        "CorruptedFrameException: a SEND frame has no NUL after its content-length"),
                decodeSmall("SEND\ncontent-length:5\n\n123456^"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SE", "SEND\n", "SEND\na:b\n\n", "SEND\n\nabc", "SEND\ncontent-length:3\n\nabc"})
    void shouldDropAFrameTruncatedByTheEnd(String input) {
        assertEquals(List.of(), decode(input));
    }

    @Test
    void shouldRefuseInvalidLimits() {
        assertThrows(IllegalArgumentException.class, () -> new StompFrameDecoder(0, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new StompFrameDecoder(1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new StompFrameDecoder(1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new StompFrameDecoder(1, 1, 1, -1));
    }

    // ---- the aggregator ----

    @Test
    void shouldJoinChunks() {
        MemoryChannel channel =
                MemoryChannel.connected(new StompFrameDecoder(20, 3, 4, 100), new StompFrameAggregator(10));
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire("SEND\n\n1234567890^SEND\n\nx^")));
        assertEquals(
                List.of("SEND {} 1234567890", "SEND {} x"),
                channel.takeReceived().stream().map(StompText::shown).toList());
    }

    @Test
    void shouldRefuseTooLongContentAndJoinTheNextFrame() {
        MemoryChannel channel =
                MemoryChannel.connected(new StompFrameDecoder(20, 3, 4, 100), new StompFrameAggregator(5));
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire(
                "SEND\n\n1234567890123^SEND\n\n12345^" + "SEND\ncontent-length:6\n\n123456^SEND\n\nx^")));
        assertEquals(
                List.of("SEND {} 12345", "SEND {} x"),
                channel.takeReceived().stream().map(StompText::shown).toList());
        List<Throwable> caught = channel.takeCaught();
        assertEquals(2, caught.size(), caught.toString());
        for (Throwable failure : caught) {
            assertTrue(failure instanceof TooLongFrameException, failure.toString());
            assertEquals("the content of a SEND frame is longer than 5 bytes", failure.getMessage());
        }
    }

    @Test
    void shouldRefuseAChunkOutsideAFrame() {
        MemoryChannel channel = MemoryChannel.connected(new StompFrameAggregator(5));
        channel.receive(StompChunk.LAST);
        assertTrue(channel.takeCaught().get(0) instanceof IllegalStateException);
        channel.receive("something else");
        assertEquals(List.of("something else"), channel.takeReceived());
    }

    @Test
    void shouldHidePasscodesInLogs() {
        StompFrame connect = new StompFrame(StompCommand.CONNECT);
        connect.headers().set("login", "ann").set("passcode", "secret");
        assertEquals("CONNECT {login: ann, passcode: ***}, 0 bytes", connect.toString());
    }
}
