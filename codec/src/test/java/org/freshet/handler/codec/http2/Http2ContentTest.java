package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that is received: too much, too little or in the wrong place. */
class Http2ContentTest {
    private final StreamLog log = new StreamLog();

    private FramePeer client(HttpLimits.Builder limits) {
        return FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder().httpLimits(limits.build()).build()));
    }

    private static HttpLimits.Builder limits() {
        return HttpLimits.defaults().toBuilder();
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private static HttpChunk chunk(String latin1) {
        return new DefaultHttpChunk(bytes(latin1));
    }

    /** What arrived, without the events of the channel. */
    private List<String> received() {
        return log.take().stream()
                .filter(line -> !line.matches("\\d+ (open|bound|connected|disconnected|unbound|closed|interest.*)"))
                .toList();
    }

    // ---- what a server receives ----

    @Test
    void shouldReportALengthBeyondTheLimitAndDropTheContent() {
        FramePeer peer = client(limits().maxContentLength(10));
        peer.send(peer.request(1, false, "POST", "/", "content-length", "11"));
        assertEquals(List.of("1 TooLongHttpMessageException content is longer than 10 bytes"), received());
        assertFalse(Exchanges.of(log.last().getPipeline()).newest().isReceivingContent());
        peer.send(data(1, false, "0123456789"), data(1, true, "x"));
        assertEquals(List.of(), received());
        assertTrue(log.last().isOpen());
        HttpResponse answer =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        assertTrue(log.last().write(answer).isSuccess());
        assertFalse(log.last().isOpen());
    }

    @Test
    void shouldAcceptALengthOfExactlyTheLimit() {
        FramePeer peer = client(limits().maxContentLength(10));
        peer.send(peer.request(1, false, "POST", "/", "content-length", "10"), data(1, true, "0123456789"));
        assertEquals(List.of("1 POST / '0123456789'"), received());
    }

    @Test
    void shouldReportContentBeyondTheLimitOnce() {
        FramePeer peer = client(limits().maxContentLength(10));
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "0123456789"));
        assertEquals(List.of("1 POST / chunked", "1 chunk '0123456789'"), received());
        peer.send(data(1, false, "x"), data(1, false, "y"), data(1, true, "z"));
        assertEquals(List.of("1 TooLongHttpMessageException content is longer than 10 bytes"), received());
    }

    /** Otherwise other streams could receive nothing any more. */
    @Test
    void shouldReturnCreditForContentThatIsTooLong() {
        FramePeer peer = client(limits().maxContentLength(1000));
        peer.send(peer.request(1, false, "POST", "/"));
        peer.lines();
        int sent = 0;
        int returned = 0;
        byte[] content = new byte[16_384];
        for (int i = 0; i < 200; i++) {
            peer.send(frame(DATA, 0, 1, content));
            sent += content.length;
            for (String line : peer.lines()) {
                if (line.startsWith("WINDOW_UPDATE 1 ")) {
                    returned += Integer.parseInt(line.substring(16));
                }
            }
        }
        assertTrue(peer.channel.isOpen());
        assertTrue(sent - returned < 262_144, sent - returned + " octets");
    }

    @Test
    void shouldKeepContentInTheRequestUpToTheSizeOfAChunk() {
        FramePeer peer = client(limits().maxChunkSize(5));
        peer.send(peer.request(1, false, "POST", "/a", "content-length", "5"), data(1, true, "01234"));
        peer.send(peer.request(3, false, "POST", "/b", "content-length", "6"), data(3, true, "012345"));
        assertEquals(List.of("1 POST /a '01234'", "3 POST /b chunked", "3 chunk '012345'", "3 last"), received());
    }

    @Test
    void shouldPassOnTheHeadOfARequestThatWaitsForAnAnswer() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/", "content-length", "5", "expect", "100-continue"));
        assertEquals(List.of("1 POST / chunked"), received());
        peer.send(data(1, true, "01234"));
        assertEquals(List.of("1 chunk '01234'", "1 last"), received());
    }

    @ParameterizedTest
    @CsvSource({"100-continue, CONTINUE", "100-Continue, CONTINUE", "other, UNKNOWN"})
    void shouldKnowWhatTheClientExpects(String expect, HttpExpectation expected) {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/", "content-length", "5", "expect", expect));
        Exchanges exchanges = Exchanges.of(log.last().getPipeline());
        assertEquals(expected, exchanges.newest().getExpectation());
        assertEquals(1, exchanges.unanswered());
        peer.send(peer.request(3, false, "POST", "/", "expect", "100-continue", "expect", "other"));
        assertEquals(
                HttpExpectation.UNKNOWN,
                Exchanges.of(log.last().getPipeline()).newest().getExpectation());
        peer.send(peer.get(5, "/"));
        assertEquals(
                HttpExpectation.NONE,
                Exchanges.of(log.last().getPipeline()).newest().getExpectation());
    }

    @Test
    void shouldMakeChunksOfNoContentWithTrailers() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/", "content-length", "0"), peer.headers(1, true, "check", "1"));
        assertEquals(List.of("1 POST / chunked", "1 last [check=1]"), received());
        peer.send(
                peer.request(3, false, "POST", "/", "content-length", "1"), data(3, false, "x"), peer.headers(3, true));
        assertEquals(List.of("3 POST / 'x'"), received(), "without trailers it is one message");
    }

    @Test
    void shouldCollectContentOfNoLength() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/", "content-length", "0"), data(1, true, ""));
        assertEquals(List.of("1 POST /"), received());
    }

    /** Otherwise a chunk would tell how the network has cut the content, or that there was padding. */
    @Test
    void shouldPassOnEachFrameOfContentButNoEmptyOnes() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "a"), data(1, false, ""), data(1, false, "b"));
        peer.send(frame(DATA, PADDED, 1, new byte[] {2, 'c', 0, 0}), frame(DATA, PADDED, 1, new byte[] {2, 0, 0}));
        peer.send(data(1, false, "d"), data(1, false, "e"));
        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'a'", "1 chunk 'b'", "1 chunk 'c'", "1 chunk 'd'", "1 chunk 'e'"),
                received());
    }

    @Test
    void shouldNotReportTheEndOfContentThatIsTooLong() {
        FramePeer peer = client(limits().maxContentLength(1));
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "ab"));
        received();
        peer.send(peer.headers(1, true, "check", "1"));
        assertEquals(List.of(), received());
        assertTrue(log.last().isOpen());
    }

    @Test
    void shouldKnowHowMuchOfTheRequestHasArrived() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "abc"));
        Exchanges exchanges = Exchanges.of(log.last().getPipeline());
        assertEquals(3, exchanges.receivedBytes());
        assertTrue(exchanges.newest().isReceivingContent());
        peer.send(data(1, true, "d"));
        assertEquals(4, exchanges.receivedBytes());
        assertFalse(exchanges.newest().isReceivingContent());
    }

    /** Whatever becomes of content, the client may send as much again. */
    @ParameterizedTest
    @ValueSource(strings = {"collected", "padding", "padding of chunks", "of a refused tunnel"})
    void shouldReturnTheWindow(String what) {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder().initialWindowSize(1000).build()));
        byte[] content = frame(DATA, 0, 1, new byte[250]);
        if (what.equals("of a refused tunnel")) {
            peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
            HttpResponse refusal = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
            log.last().write(refusal);
        } else {
            boolean isCollected = !what.equals("padding of chunks");
            String[] length = isCollected ? new String[] {"content-length", "2500"} : new String[0];
            peer.send(peer.request(1, false, "POST", "/", length));
        }
        if (what.startsWith("padding")) {
            byte[] padding = new byte[250];
            padding[0] = (byte) 249;
            content = frame(DATA, PADDED, 1, padding);
        }
        peer.lines();
        for (int i = 0; i < 10; i++) {
            peer.send(content);
        }
        List<String> lines = peer.lines();
        assertTrue(peer.channel.isOpen(), lines.toString());
        assertTrue(
                lines.stream()
                                .filter(line -> line.startsWith("WINDOW_UPDATE 1 "))
                                .count()
                        >= 3,
                lines.toString());
    }

    @Test
    void shouldPassOnNothingEmptyThroughATunnel() {
        FramePeer peer = client(limits());
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        int before = log.messages.size();
        peer.send(data(1, false, ""), frame(DATA, PADDED, 1, new byte[] {2, 0, 0}));
        assertEquals(before, log.messages.size());
        peer.send(data(1, false, "x"));
        assertEquals(before + 1, log.messages.size());
    }

    @Test
    void shouldRefuseTrailersThatMustNotBe() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/"), peer.headers(1, true, "content-length", "1"));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
    }

    @Test
    void shouldRefuseTrailersBeforeTheContentIsComplete() {
        FramePeer peer = client(limits());
        peer.send(peer.request(1, false, "POST", "/", "content-length", "2"), data(1, false, "x"));
        peer.send(peer.headers(1, true, "check", "1"));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
    }

    @Test
    void shouldRefuseTrailersThatAreTooLong() {
        FramePeer peer = client(limits().maxHeaders(10));
        String[] many = new String[22];
        for (int i = 0; i < many.length; i++) {
            many[i] = "x" + i;
        }
        peer.send(peer.request(1, false, "POST", "/"), peer.headers(1, true, many));
        assertEquals(List.of("RST_STREAM 1 ENHANCE_YOUR_CALM"), peer.lines());
        assertTrue(received().get(1).endsWith("header fields exceed the limit of 16384 octets or 10 fields"));
        assertFalse(log.last().isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseTrailersInATunnel(boolean isEstablished) {
        FramePeer peer = client(limits());
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
        if (isEstablished) {
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        }
        peer.lines();
        peer.send(peer.headers(1, true, "check", "1"));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldRefuseARequestThatHasNoHandlers() {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(() -> {
            throw new IllegalStateException("planned");
        }));
        try (CapturedLog captured = CapturedLog.start()) {
            peer.send(peer.get(1, "/"));
            assertEquals(
                    "cannot create the pipeline of a request: the request is refused",
                    captured.messages().get(0).text());
        }
        assertEquals(List.of("RST_STREAM 1 INTERNAL_ERROR"), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    // ---- what a client receives ----

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();

        private HttpRequest request(HttpMethod method) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
            request.headers().set("Host", "example.com");
            return request;
        }

        @Test
        void shouldRefuseAnInformationalAnswerThatEndsItsStream() {
            stream.write(request(HttpMethod.GET));
            peer.lines();
            peer.send(peer.headers(1, true, ":status", "103"));
            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        }

        /** No window bounds them. */
        @Test
        void shouldKeepEightInformationalAnswersThatAreNotRead() {
            stream.write(request(HttpMethod.GET));
            stream.setReadable(false);
            log.take();
            for (int i = 0; i < 20; i++) {
                peer.send(peer.headers(1, false, ":status", "103"));
            }
            peer.send(peer.headers(1, true, ":status", "200"));
            assertEquals(List.of(), received());
            stream.setReadable(true);
            List<String> expected = new ArrayList<>(Collections.nCopies(8, "1 103"));
            expected.add("1 200");
            assertEquals(expected, received());
        }

        /** The head isn't passed on without its content. */
        @Test
        void shouldReportAnAnswerThatIsTooLong() {
            FramePeer server = FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                    .httpLimits(limits().maxContentLength(10).build())
                    .build()));
            Channel asked = Http2ClientConnection.of(server.channel)
                    .open(log.pipeline())
                    .getChannel();
            asked.write(request(HttpMethod.GET));
            log.take();
            server.send(
                    server.headers(1, false, ":status", "200", "content-length", "11"), data(1, true, "12345678901"));
            assertEquals(List.of("1 TooLongHttpMessageException content is longer than 10 bytes"), received());
            assertFalse(asked.isOpen());
        }

        @Test
        void shouldRefuseContentBeforeTheAnswer() {
            stream.write(request(HttpMethod.GET));
            peer.lines();
            peer.send(data(1, false, "x"));
            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        }

        @Test
        void shouldNotCompareALengthWithContentThatCannotBe() {
            stream.write(request(HttpMethod.HEAD));
            log.take();
            peer.send(peer.headers(1, false, ":status", "200", "content-length", "5"), data(1, true, ""));
            assertEquals(List.of("1 200 chunked", "1 last"), received());
        }

        @Test
        void shouldRefuseAnAnswerShorterThanItsLength() {
            stream.write(request(HttpMethod.GET));
            peer.lines();
            peer.send(peer.headers(1, true, ":status", "200", "content-length", "5"));
            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        }

        @Test
        void shouldSayWhatAStreamCarries() {
            assertEquals(
                    "cannot write to a stream: it accepts HttpRequest, HttpChunk, ChannelBuffer and FileRegion,"
                            + " not org.freshet.handler.codec.http.DefaultHttpResponse",
                    stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK))
                            .getCause()
                            .getMessage());
            HttpRequest post = request(HttpMethod.POST);
            post.setChunked(true);
            assertTrue(stream.write(post).isSuccess());
            assertEquals(
                    "a stream carries one request: open another stream for the next one",
                    stream.write(request(HttpMethod.GET)).getCause().getMessage());
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        }

        @Test
        void shouldSendTheRestOfContentWhoseBeginIsInTheRequest() {
            HttpRequest post = request(HttpMethod.POST);
            HttpHeaders.setContentLength(post, 5);
            post.setContent(bytes("ab"));
            stream.write(post);
            stream.write(chunk("cd"));
            stream.write(bytes("e"));
            assertEquals(
                    List.of("DATA 1 'ab'", "DATA 1 'cd'", "DATA 1 'e' END"),
                    peer.lines().subList(1, 4));
        }

        @Test
        void shouldFailToEndAnIncompleteRequest() {
            HttpRequest post = request(HttpMethod.POST);
            post.setChunked(true);
            stream.write(post);
            ChannelFuture early = stream.write(OutputShutdown.INSTANCE);
            assertEquals(
                    "cannot end the output of a stream: its message is incomplete",
                    early.getCause().getMessage());
            stream.write(HttpChunk.LAST_CHUNK);
            assertTrue(stream.write(OutputShutdown.INSTANCE).isSuccess());
            assertTrue(stream.isOpen());
        }
    }
}
