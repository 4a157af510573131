package org.freshet.handler.codec.socks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the SOCKS decoders decode bytes; each input is fed to them in every split. */
class SocksDecoderTest {
    enum Kind {
        INIT_REQUEST(SocksInitRequestDecoder::new),
        INIT_RESPONSE(SocksInitResponseDecoder::new),
        AUTH_REQUEST(SocksAuthRequestDecoder::new),
        AUTH_RESPONSE(SocksAuthResponseDecoder::new),
        CMD_REQUEST(SocksCmdRequestDecoder::new),
        CMD_RESPONSE(SocksCmdResponseDecoder::new),
        REQUEST_4(Socks4RequestDecoder::new),
        RESPONSE_4(Socks4ResponseDecoder::new);

        final Supplier<ChannelUpstreamHandler> decoder;

        Kind(Supplier<ChannelUpstreamHandler> decoder) {
            this.decoder = decoder;
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static List<String> decode(Kind kind, byte[] input) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(kind.decoder.get());
        embedder.offer(ChannelBuffers.wrappedBuffer(input));
        assertFalse(embedder.getPipeline().getNames().size() > 1, "the decoder has not removed itself");
        embedder.finish();
        return Arrays.stream(embedder.pollAll()).map(SocksText::ours).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INIT_REQUEST  | 05 01 00 | init [NO_AUTH]",
                "INIT_REQUEST  | 05 00 | init []",
                "INIT_REQUEST  | 05 04 00 01 02 09 | init [NO_AUTH, AUTH_GSSAPI, AUTH_PASSWORD, UNKNOWN]",
                "INIT_REQUEST  | 04 | UnknownSocksRequest",
                "INIT_RESPONSE | 05 02 | init AUTH_PASSWORD",
                "INIT_RESPONSE | 05 ff | init UNKNOWN",
                "INIT_RESPONSE | 04 | UnknownSocksResponse",
                "AUTH_REQUEST  | 01 02 6d 65 03 70 61 73 | auth me pas",
                "AUTH_REQUEST  | 05 | UnknownSocksRequest",
                "AUTH_RESPONSE | 01 00 | auth SUCCESS",
                "AUTH_RESPONSE | 01 01 | auth FAILURE",
                "AUTH_RESPONSE | 05 | UnknownSocksResponse",
                "CMD_REQUEST   | 05 01 00 01 7f 00 00 01 00 50 | cmd CONNECT IPv4 127.0.0.1 80",
                "CMD_REQUEST   | 05 02 00 01 ff fe fd fc ff ff | cmd BIND IPv4 255.254.253.252 65535",
                "CMD_REQUEST   | 05 03 00 01 00 00 00 00 00 00 | cmd UDP IPv4 0.0.0.0 0",
                "CMD_REQUEST   | 05 09 77 03 01 61 80 00 | cmd UNKNOWN DOMAIN a 32768",
                "CMD_REQUEST   | 05 01 00 04 2001 0db8 0000 0000 0001 0000 0000 ffff 0050 "
                        + "| cmd CONNECT IPv6 2001:db8:0:0:1:0:0:ffff 80",
                "CMD_REQUEST   | 05 01 00 02 | UnknownSocksRequest",
                "CMD_REQUEST   | 04 | UnknownSocksRequest",
                "CMD_RESPONSE  | 05 00 00 01 7f 00 00 01 00 50 | cmd SUCCESS IPv4",
                "CMD_RESPONSE  | 05 05 00 03 01 61 00 50 | cmd REFUSED DOMAIN",
                "CMD_RESPONSE  | 05 63 00 04 00000000 00000000 00000000 00000000 0000 | cmd UNASSIGNED IPv6",
                "CMD_RESPONSE  | 05 00 00 07 | UnknownSocksResponse",
                "CMD_RESPONSE  | 00 | UnknownSocksResponse",
                "REQUEST_4     | 04 01 00 50 7f 00 00 01 6d 65 00 | cmd4 CONNECT IPv4 127.0.0.1 80 me",
                "REQUEST_4     | 04 01 00 50 00 00 00 01 6d 65 00 61 2e 62 00 | cmd4 CONNECT DOMAIN a.b 80 me",
                "REQUEST_4     | 04 02 00 00 00 00 00 00 6d 00 | cmd4 BIND IPv4 0.0.0.0 0 m",
                "REQUEST_4     | 05 | UnknownSocksRequest",
                "RESPONSE_4    | 00 5a ff fe 80 81 82 83 | cmd4 GRANTED 128.129.130.131 65534",
                "RESPONSE_4    | 00 5d 00 00 00 00 00 00 | cmd4 IDENT_MISMATCH 0.0.0.0 0",
                "RESPONSE_4    | 00 00 00 00 00 00 00 00 | cmd4 UNKNOWN 0.0.0.0 0",
                "RESPONSE_4    | 04 | UnknownSocksResponse",
            })
    void shouldDecodeOneMessageAndPassOnTheRest(Kind kind, String hex, String message) {
        byte[] exact = bytes(hex);
        byte[] more = Arrays.copyOf(exact, exact.length + 3);
        more[exact.length] = 5; // must not be mistaken for another message
        assertEquals(List.of(message), decode(kind, exact));
        assertEquals(List.of(message, "bytes 050000"), decode(kind, more));
        DecoderSplitChecker checker =
                DecoderSplitChecker.of(kind.decoder).joiningBuffers().comparing(SocksDecoderTest::comparable);
        checker.check(exact);
        checker.check(more);
    }

    private static Object comparable(Object message) {
        return message instanceof SocksMessage ? SocksText.ours(message) : message;
    }

    @Test
    void shouldReadLengthsBeyond127() {
        byte[] init = new byte[2 + 255];
        init[0] = 5;
        init[1] = (byte) 255;
        SocksInitRequest request = (SocksInitRequest) one(Kind.INIT_REQUEST, init);
        assertEquals(255, request.getAuthSchemes().size());

        String name = "n".repeat(200);
        byte[] auth = bytes("01c8" + "6e".repeat(200) + "ff" + "70".repeat(255));
        SocksAuthRequest credentials = (SocksAuthRequest) one(Kind.AUTH_REQUEST, auth);
        assertEquals(name, credentials.getUsername());
        assertEquals("p".repeat(255), credentials.getPassword());

        byte[] cmd = bytes("05010003" + "c8" + "612e".repeat(100) + "0050");
        assertEquals("a.".repeat(100), ((SocksCmdRequest) one(Kind.CMD_REQUEST, cmd)).getHost());
    }

    private static Object one(Kind kind, byte[] input) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(kind.decoder.get());
        embedder.offer(ChannelBuffers.wrappedBuffer(input));
        return embedder.poll();
    }

    @Test
    void shouldKeepTheAddressOfAResponse() {
        SocksCmdResponse name = (SocksCmdResponse) one(Kind.CMD_RESPONSE, bytes("0500000303612e62ffff"));
        assertEquals("a.b", name.getHost());
        assertEquals(65535, name.getPort());
        SocksCmdResponse ip = (SocksCmdResponse) one(Kind.CMD_RESPONSE, bytes("05000001 ff010203 1f90"));
        assertEquals("255.1.2.3", ip.getHost());
        assertEquals(8080, ip.getPort());
    }

    @ParameterizedTest
    @CsvSource({"0500000301000000", "05000003000000"})
    void shouldReportThatAResponseHasNoName(String hex) {
        assertNull(((SocksCmdResponse) one(Kind.CMD_RESPONSE, bytes(hex))).getHost());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CMD_REQUEST  | 05 01 00 03 03 61 00 62 00 50 | host is not a name: 'a?b'",
                "CMD_REQUEST  | 05 01 00 03 03 61 0a 62 00 50 | host is not a name: 'a?b'",
                "CMD_REQUEST  | 05 01 00 03 01 00 00 50 | host is not a name: '?'",
                "CMD_REQUEST  | 05 01 00 03 00 00 50 | host is not a name: ''",
                "CMD_REQUEST  | 05 01 00 01 7f 00 00 01 00 00 | port is not in 1 to 65535: 0",
                "CMD_RESPONSE | 05 00 00 03 03 61 00 62 00 50 | host is not a name: 'a?b'",
                "AUTH_REQUEST | 01 01 c3 01 70 | username is not ASCII",
                "AUTH_REQUEST | 01 01 6e 01 ff | password is not ASCII",
                "REQUEST_4    | 04 01 00 50 7f 00 00 01 c3 00 | userId is not ASCII",
                "REQUEST_4    | 04 01 00 50 00 00 00 01 6d 00 00 | host is not a name: ''",
                "REQUEST_4    | 04 01 00 00 7f 00 00 01 6d 00 | port is not in 1 to 65535: 0",
            })
    void shouldCloseAndRefuseMalformedFields(Kind kind, String hex, String message) {
        byte[] input = bytes(hex + "050100");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(kind.decoder.get());
        CodecEmbedderException thrown =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(input)));
        CorruptedFrameException cause = assertInstanceOf(CorruptedFrameException.class, thrown.getCause());
        assertEquals("malformed SOCKS message: " + message, cause.getMessage());
        assertEquals(
                CloseReason.Kind.PROTOCOL,
                embedder.getPipeline().getChannel().getCloseReason().kind());
        assertEquals(0, thrown.getSuppressed().length, "the bytes after it were decoded");
        assertNull(embedder.poll());
    }

    @Test
    void shouldRefuseAnEndlessUserIdBeforeItEnds() {
        assertTooLong("04 01 0050 7f000001", "userId > 255 bytes");
        assertTooLong("04 01 0050 00000001 00", "host > 255 bytes");
    }

    private static void assertTooLong(String head, String message) {
        byte[] start = bytes(head);
        byte[] longest = Arrays.copyOf(start, start.length + 255);
        Arrays.fill(longest, start.length, longest.length, (byte) 'a');
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Socks4RequestDecoder());
        embedder.offer(ChannelBuffers.wrappedBuffer(longest));
        assertTrue(embedder.getPipeline().getChannel().isOpen(), "255 bytes are allowed");
        CodecEmbedderException thrown = assertThrows(
                CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {'a'})));
        assertEquals(
                message,
                assertInstanceOf(TooLongFrameException.class, thrown.getCause()).getMessage());
        assertFalse(embedder.getPipeline().getChannel().isOpen(), "the channel is open");
    }

    /** A server that adds the next decoder when a message arrives: all steps arrive in one read. */
    @Test
    void shouldDecodeAConversationThatArrivesInOneRead() {
        Supplier<ChannelUpstreamHandler[]> server =
                () -> new ChannelUpstreamHandler[] {new SocksInitRequestDecoder(), new NextDecoder()};
        byte[] input = bytes("05 01 02" + "01 01 6e 01 70" + "05 01 00 03 01 61 00 50" + "64617461");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(server.get());
        embedder.offer(ChannelBuffers.wrappedBuffer(input));
        embedder.finish();
        assertEquals(
                List.of("init [AUTH_PASSWORD]", "auth n p", "cmd CONNECT DOMAIN a 80", "bytes 64617461"),
                Arrays.stream(embedder.pollAll()).map(SocksText::ours).toList());
        DecoderSplitChecker.ofPipeline(server)
                .joiningBuffers()
                .comparing(SocksDecoderTest::comparable)
                .check(input);
    }

    private static final class NextDecoder extends org.freshet.channel.SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(org.freshet.channel.ChannelHandlerContext ctx, org.freshet.channel.MessageEvent e) {
            if (e.getMessage() instanceof SocksInitRequest) {
                ctx.getPipeline().addFirst("auth", new SocksAuthRequestDecoder());
            } else if (e.getMessage() instanceof SocksAuthRequest) {
                ctx.getPipeline().addFirst("cmd", new SocksCmdRequestDecoder());
            }
            ctx.sendUpstream(e);
        }
    }
}
