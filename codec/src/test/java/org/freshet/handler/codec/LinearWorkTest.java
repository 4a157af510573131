package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import org.freshet.handler.codec.rtsp.RtspRequestDecoder;
import org.freshet.handler.codec.stomp.StompFrameDecoder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * If a peer sends one byte at a time, and lines or delimiters that are almost complete, the work stays proportional to
 * the bytes: a byte is not searched twice. The work is counted, not timed, over all classes from the read to the frame.
 */
@Timeout(120)
class LinearWorkTest {
    private static final int INPUT_BYTES = 16 * 1024;

    /**
     * Covers reading, searching, comparing, and copying a byte as the buffer grows. A second search of each byte would
     * make it thousands.
     */
    private static final int MAX_LOADS_A_BYTE = 40;

    /** By name, since the decoders belong to classes that are loaded again. */
    private static final Map<String, Supplier<ChannelUpstreamHandler>> DECODERS = Map.of(
            "line", () -> new LineBasedFrameDecoder(2 * INPUT_BYTES),
            "lines", () -> new DelimiterBasedFrameDecoder(2 * INPUT_BYTES, Delimiters.lineDelimiter()),
            "nul", () -> new DelimiterBasedFrameDecoder(2 * INPUT_BYTES, Delimiters.nulDelimiter()),
            "blank line", () -> new DelimiterBasedFrameDecoder(2 * INPUT_BYTES, true, bytes("\r\n\r\n"), bytes("\n\n")),
            "too long", () -> new DelimiterBasedFrameDecoder(10, true, bytes("\r\n\r\n"), bytes("\n\n")),
            "http request", () -> new HttpRequestDecoder(limits()),
            "http response", () -> new HttpResponseDecoder(limits()),
            "rtsp", () -> new RtspRequestDecoder(2 * INPUT_BYTES, 2 * INPUT_BYTES, 8192),
            "stomp", () -> new StompFrameDecoder(2 * INPUT_BYTES, INPUT_BYTES, 8192, 2 * INPUT_BYTES),
            "websocket", () -> new WebSocket13FrameDecoder(false, true, 2 * INPUT_BYTES));

    private static HttpLimits limits() {
        return HttpLimits.netty3().toBuilder()
                .maxInitialLineLength(2 * INPUT_BYTES)
                .maxHeaderSize(2 * INPUT_BYTES)
                .maxHeaders(INPUT_BYTES)
                .maxChunkLineLength(2 * INPUT_BYTES)
                .maxTrailerSize(2 * INPUT_BYTES)
                .build();
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    /** Feeds an input to a decoder one byte at a time; returns the number of messages. */
    public static final class Decoding implements BiFunction<String, byte[], Integer> {
        @Override
        public Integer apply(String name, byte[] input) {
            DecoderEmbedder<Object> embedder =
                    new DecoderEmbedder<>(DECODERS.get(name).get());
            for (int i = 0; i < input.length; i++) {
                try {
                    embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {input[i]}));
                } catch (CodecEmbedderException e) {
                    if (!name.equals("too long")) {
                        throw e;
                    }
                }
            }
            return embedder.pollAll().length;
        }
    }

    /** @param end after the repeated part */
    record Attack(String decoder, String begin, String repeated, String end) {
        byte[] input() {
            return (begin + repeated.repeat(INPUT_BYTES / repeated.length()) + end).getBytes(ISO_8859_1);
        }

        @Override
        public String toString() {
            return decoder + ": "
                    + (begin + repeated).replace("\r", "CR").replace("\n", "LF").replace("\0", "NUL");
        }
    }

    static List<Attack> attacks() {
        String get = "GET / HTTP/1.1\r\nHost: a\r\n";
        String chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        return List.of(
                new Attack("line", "", "x", "\n"),
                new Attack("line", "", "\r", "\n"),
                new Attack("line", "", "\n", "\n"),
                new Attack("lines", "", "x", "\n"),
                new Attack("lines", "", "\r", "\n"),
                new Attack("nul", "", "x", "\0"),
                new Attack("blank line", "", "x", "\n\n"),
                new Attack("blank line", "", "\r\n\r", "\n\n"),
                new Attack("blank line", "", "\r\n", "\n\n"),
                new Attack("too long", "", "\r\n\r", "\n\n1\n\n"),
                new Attack("http request", "GET /", "x", " HTTP/1.1\r\nHost: a\r\n\r\n"),
                new Attack("http request", "", "\r\n", get + "\r\n"),
                new Attack("http request", get + "X: ", "x", "\r\n\r\n"),
                new Attack("http request", get + "X: a", " ", "\r\n\r\n"),
                new Attack("http request", get, "x", ": a\r\n\r\n"),
                new Attack("http request", get, "a: b\r\n", "\r\n"),
                new Attack("http request", get + "X: a", "\r\n b", "\r\n\r\n"),
                new Attack("http request", get + "X: a", "\r\n ", "\r\n\r\n"),
                new Attack("http request", get + "Content-Length: " + INPUT_BYTES + "\r\n\r\n", "x", ""),
                new Attack("http request", chunked + "1;a=", "b", "\r\nx\r\n0\r\n\r\n"),
                new Attack("http request", chunked + "1;a=\"", "\\b", "\"\r\nx\r\n0\r\n\r\n"),
                new Attack("http request", chunked, "1\r\nx\r\n", "0\r\n\r\n"),
                new Attack("http request", chunked + "0\r\n", "a: b\r\n", "\r\n"),
                new Attack("http response", "HTTP/1.1 200 ", "x", "\r\nContent-Length: 0\r\n\r\n"),
                new Attack("http response", "HTTP/1.1 204 x\r\nX: a", "\n\t", "\r\n\r\n"),
                new Attack("rtsp", "PLAY rtsp://a/", "x", " RTSP/1.0\r\n\r\n"),
                new Attack("rtsp", "PLAY rtsp://a/ RTSP/1.0\r\nX: ", "x", "\r\n\r\n"),
                new Attack("stomp", "SEND\n\n", "x", "\0"),
                new Attack("stomp", "SEND\na:", "\\\\n", "\n\n\0"),
                new Attack("stomp", "", "\r\n", "SEND\n\n\0"),
                new Attack("websocket", "\u0081\u007e\u0040\u0000", "x", ""));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    @SuppressWarnings("unchecked")
    void shouldSearchEachByteOnceThoughBytesComeOneByOne(Attack attack) throws Exception {
        BiFunction<String, byte[], Integer> decoding =
                (BiFunction<String, byte[], Integer>) new CountingLoader("org.freshet.")
                        .loadClass(Decoding.class.getName())
                        .getConstructor()
                        .newInstance();
        byte[] input = attack.input();
        CountingLoader.takeCount();
        int decoded = decoding.apply(attack.decoder, input);
        long loads = CountingLoader.takeCount();
        assertTrue(decoded > 0, "nothing was decoded");
        assertTrue(loads > input.length / 64, () -> "only " + loads + " loads counted");
        assertTrue(
                loads <= (long) MAX_LOADS_A_BYTE * input.length, () -> loads + " loads of " + input.length + " bytes");
    }
}
