package org.freshet.handler.codec.rtsp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RtspCodecTest {
    private static final String SETUP =
            "SETUP rtsp://camera/1 RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\n";
    private static final String SDP = "DESCRIBE rtsp://camera/1 RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 4\r\n\r\nv=0\n";

    private static RtspRequestDecoder withFrames() {
        return new RtspRequestDecoder(HttpLimits.defaults(), true);
    }

    // ---- decoding ----

    @Test
    void shouldDecodeRequestsWithTheirContentHoweverTheyAreSplit() {
        assertEquals(
                List.of("SETUP rtsp://camera/1 RTSP/1.0 1 <>", "DESCRIBE rtsp://camera/1 RTSP/1.0 2 <v=0\n>"),
                decoded(RtspRequestDecoder::new, SETUP + SDP));
    }

    @Test
    void shouldDecodeResponsesWithoutLengthAsEmpty() {
        assertEquals(
                List.of("200 OK RTSP/1.0 1 <>", "454 Session Not Found RTSP/1.0 2 <why>"),
                decoded(
                        RtspResponseDecoder::new,
                        "RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n"
                                + "RTSP/1.0 454 Session Not Found\r\nCSeq: 2\r\nContent-Length: 3\r\n\r\nwhy"));
    }

    @Test
    void shouldDecodeFramesBetweenMessagesHoweverTheyAreSplit() {
        assertEquals(
                List.of("0 <abc>", "SETUP rtsp://camera/1 RTSP/1.0 1 <>", "1 <>", "255 <$\r\n>"),
                decoded(RtspCodecTest::withFrames, "$\0\0\3abc" + SETUP + "$\1\0\0$\u00ff\0\3$\r\n"));
    }

    @Test
    void shouldDecodeTheLongestFrame() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(withFrames());
        embedder.offer(bytes("$\7\u00ff\u00ff"));
        for (int left = 0xffff; left > 0; left -= Math.min(left, 10_000)) {
            assertNull(embedder.poll());
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[Math.min(left, 10_000)]));
        }
        assertEquals(0xffff, ((RtspInterleavedFrame) embedder.poll()).content().readableBytes());
    }

    @Test
    void shouldRefuseUnexpectedFrames() {
        assertFails(new RtspRequestDecoder(), "$\0\0\3abc" + SETUP, 400);
    }

    @Test
    void shouldDecodeNothingAfterAMalformedMessage() {
        assertFails(withFrames(), "SETUP\r\n\r\n" + SETUP + "$\0\0\3abc", 400);
        assertFails(withFrames(), "SETUP rtsp://x RTSP/1.0\r\nno colon\r\n\r\n$\0\0\3abc", 400);
    }

    @Test
    void shouldRefuseTooLongContentBeforeItArrives() {
        assertFails(new RtspRequestDecoder(100, 100, 3), SDP.substring(0, SDP.length() - 4), 413);
        assertEquals(1, decoded(() -> new RtspRequestDecoder(100, 100, 4), SDP).size());
        assertThrows(IllegalArgumentException.class, () -> new RtspRequestDecoder(100, 100, 0));
    }

    @Test
    void shouldRefuseTooLongHeads() {
        assertFails(new RtspRequestDecoder(20, 100, 100), SETUP, 414);
        assertFails(new RtspRequestDecoder(100, 20, 100), SETUP, 431);
    }

    private static List<String> decoded(Supplier<ChannelUpstreamHandler> decoder, String latin1) {
        DecoderSplitChecker.of(decoder).comparing(RtspCodecTest::describe).check(latin1.getBytes(ISO_8859_1));
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder.get());
        embedder.offer(bytes(latin1));
        List<String> messages = new ArrayList<>();
        for (Object message = embedder.poll(); message != null; message = embedder.poll()) {
            messages.add(describe(message));
        }
        return messages;
    }

    private static void assertFails(ChannelUpstreamHandler decoder, String latin1, int status) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        CodecEmbedderException failure =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes(latin1)));
        assertEquals(
                status,
                assertInstanceOf(HttpFailure.class, failure.getCause())
                        .suggestedStatus()
                        .getCode());
        embedder.offer(bytes(SETUP));
        embedder.offer(bytes("$\0\0\0"));
        embedder.finish();
        assertEquals(0, embedder.size());
    }

    private static String describe(Object message) {
        if (message instanceof RtspInterleavedFrame frame) {
            return frame.channel() + " <" + frame.content().toString(ISO_8859_1) + ">";
        }
        String start = message instanceof HttpRequest request
                ? request.getMethod() + " " + request.getUri()
                : ((HttpResponse) message).getStatus().toString();
        HttpMessage any = (HttpMessage) message;
        return start + " " + any.getProtocolVersion() + " " + any.headers().get(RtspHeaders.Names.CSEQ) + " <"
                + any.getContent().toString(ISO_8859_1) + ">";
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.wrappedBuffer(latin1.getBytes(ISO_8859_1));
    }

    // ---- encoding ----

    @Test
    void shouldEncodeRequestsAndResponses() {
        HttpRequest request = new DefaultHttpRequest(RtspVersions.RTSP_1_0, RtspMethods.PLAY, "rtsp://camera/1");
        request.headers().set(RtspHeaders.Names.CSEQ, 3);
        assertEquals("PLAY rtsp://camera/1 RTSP/1.0\r\nCSeq: 3\r\n\r\n", encoded(new RtspRequestEncoder(), request));

        HttpResponse response = new DefaultHttpResponse(RtspVersions.RTSP_1_0, RtspResponseStatuses.LOW_STORAGE_SPACE);
        response.headers().set(RtspHeaders.Names.CONTENT_LENGTH, 2);
        response.setContent(bytes("ab"));
        assertEquals(
                "RTSP/1.0 250 Low on Storage Space\r\nContent-Length: 2\r\n\r\nab",
                encoded(new RtspResponseEncoder(), response));
    }

    @Test
    void shouldEncodeFrames() {
        assertEquals("$\u00ff\0\3abc", encoded(new RtspResponseEncoder(), new RtspInterleavedFrame(255, bytes("abc"))));
        assertThrows(IllegalArgumentException.class, () -> new RtspInterleavedFrame(256, bytes("")));
        assertThrows(IllegalArgumentException.class, () -> new RtspInterleavedFrame(-1, bytes("")));
        assertThrows(
                IllegalArgumentException.class,
                () -> new RtspInterleavedFrame(0, ChannelBuffers.wrappedBuffer(new byte[0x10000])));
    }

    @Test
    void shouldPassOtherMessages() {
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(new RtspRequestEncoder());
        Object chunk = new DefaultHttpChunk(bytes("a"));
        embedder.offer(chunk);
        assertSame(chunk, embedder.poll());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rtsp://x y", "rtsp://x\r\nCSeq: 1", "rtsp://x\u010a"})
    void shouldRefuseUrisThatWouldEndTheLine(String uri) {
        assertThrows(CodecEmbedderException.class, () -> {
            EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(new RtspRequestEncoder());
            HttpRequest request = new DefaultHttpRequest(RtspVersions.RTSP_1_0, RtspMethods.PLAY, "*");
            try {
                request.setUri(uri);
            } catch (IllegalArgumentException e) {
                throw new CodecEmbedderException(e);
            }
            embedder.offer(request);
        });
    }

    private static String encoded(org.freshet.channel.ChannelDownstreamHandler encoder, Object message) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(message);
        return embedder.poll().toString(ISO_8859_1);
    }

    // ---- constants ----

    @Test
    void shouldFindConstantsByName() {
        assertSame(RtspVersions.RTSP_1_0, RtspVersions.valueOf(" rtsp/1.0 "));
        assertTrue(RtspVersions.valueOf("RTSP/2.0").isKeepAliveDefault());
        assertSame(RtspMethods.SET_PARAMETER, RtspMethods.valueOf(" set_parameter "));
        assertSame(HttpMethod.OPTIONS, RtspMethods.valueOf("OPTIONS"));
        assertEquals("Foo", RtspMethods.valueOf("Foo").getName());
        assertSame(RtspResponseStatuses.METHOD_NOT_VALID, RtspResponseStatuses.valueOf(455));
        assertSame(HttpResponseStatus.OK, RtspResponseStatuses.valueOf(200));
        assertEquals(999, RtspResponseStatuses.valueOf(999).getCode());
    }

    @Test
    void shouldHaveTheSameStatusesAsNetty3() throws Exception {
        Class<?> theirs = org.jboss.netty.handler.codec.rtsp.RtspResponseStatuses.class;
        for (var field : theirs.getFields()) {
            Object ours = RtspResponseStatuses.class.getField(field.getName()).get(null);
            assertEquals(field.get(null).toString(), ours.toString());
        }
    }
}
