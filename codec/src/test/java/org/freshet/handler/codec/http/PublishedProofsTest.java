package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.http.server.HttpContinueHandler;
import org.freshet.handler.codec.http.server.HttpErrorResponder;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Published attacks on other servers that leave no room for a second reading here; {@code docs/security/advisories.md}
 * lists them.
 */
class PublishedProofsTest {
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";

    /** The targets of the requests that the application received. */
    private final List<String> targets = new ArrayList<>();

    /** Answers heads right away, and ignores content. */
    private final class Hasty extends SimpleChannelUpstreamHandler {
        private final int status;

        Hasty(int status) {
            this.status = status;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest request) {
                targets.add(request.getUri());
                HttpResponse response =
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
                HttpHeaders.setContentLength(response, 0);
                e.getChannel().write(response);
            }
        }
    }

    private static void receive(MemoryChannel channel, String text, int pieceLength) {
        for (int at = 0; at < text.length() && channel.isOpen(); at += pieceLength) {
            String piece = text.substring(at, Math.min(text.length(), at + pieceLength));
            channel.receive(ChannelBuffers.copiedBuffer(piece, ISO_8859_1));
        }
    }

    // ---- an expectation that two servers interpret differently, so that one of them expects no content ("0.CL") ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Expect: 100-continue",
                "Expect: 100-Continue",
                "Expect:  100-continue ",
                "Expect: y 100-continue",
                "Expect: 100-continue, y",
                "Expect: y, 100-continue",
                "Expect: 100-continue\r\nExpect: y",
                "Expect: y\r\nExpect: 100-continue",
                "Expect: 100-continue; a=b",
                "Expect: 200-ok",
                "Expect:",
                "Expect: \u0000100-continue",
                "Expect: \r\n 100-continue",
                "Expect : 100-continue"
            })
    void shouldTakeContentForNoRequestWhateverIsExpected(String expect) {
        for (int status : new int[] {200, 403}) {
            for (int pieceLength : new int[] {1, 1000}) {
                for (String method : new String[] {"GET", "POST", "OPTIONS", "HEAD"}) {
                    targets.clear();
                    MemoryChannel channel = MemoryChannel.connected(
                            new HttpServerCodec(),
                            new HttpKeepAliveHandler(false),
                            new HttpErrorResponder(),
                            new HttpContinueHandler(),
                            new Hasty(status));
                    receive(
                            channel,
                            method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: " + SMUGGLED.length() + "\r\n" + expect
                                    + "\r\n\r\n" + SMUGGLED,
                            pieceLength);
                    assertFalse(targets.contains("/smuggled"), () -> method + " " + status + " " + targets);
                }
            }
        }
    }

    /**
     * A client that got its answer instead of 100 may send the content or the next request; the server can't tell
     * which.
     */
    @Test
    void shouldCloseBehindAnAnswerToAClientThatWaitsToContinue() {
        MemoryChannel channel = MemoryChannel.connected(
                new HttpServerCodec(), new HttpKeepAliveHandler(false), new HttpErrorResponder(), new Hasty(200));
        receive(
                channel,
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n" + SMUGGLED,
                1000);
        assertEquals(List.of("/"), targets);
        assertFalse(channel.isOpen());
    }

    // ---- trailers ----

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void shouldKeepNoTrailerForTheNextRequest(int pieceLength) {
        for (boolean isAggregated : new boolean[] {false, true}) {
            MemoryChannel channel = MemoryChannel.connected(new HttpServerCodec(
                    HttpLimits.defaults().toBuilder().maxPipelinedRequests(9).build()));
            if (isAggregated) {
                channel.getPipeline()
                        .addBefore("keeper of a MemoryChannel", "aggregator", new HttpChunkAggregator(1000));
            }
            receive(
                    channel,
                    CHUNKED + "\r\n0\r\nX-User: admin\r\n\r\n" + CHUNKED + "\r\n0\r\n\r\n"
                            + "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                    pieceLength);
            List<String> users = new ArrayList<>();
            for (Object message : channel.takeReceived()) {
                if (message instanceof HttpMessage request) {
                    assertNull(request.headers().get("X-User"));
                    users.add("head " + request.trailingHeaders().get("X-User"));
                } else if (message instanceof HttpChunkTrailer trailer) {
                    users.add("trailer " + trailer.trailingHeaders().get("X-User"));
                }
            }
            assertEquals(
                    isAggregated
                            ? List.of("head admin", "head null", "head null")
                            : List.of("head null", "trailer admin", "head null", "trailer null", "head null"),
                    users);
        }
    }

    // ---- content with a method that usually has none ----

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"})
    void shouldHoldTheContentOfAnyMethodToTheLimits(String method) {
        for (String framing : new String[] {"Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\n"}) {
            targets.clear();
            MemoryChannel channel = MemoryChannel.connected(
                    new HttpServerCodec(),
                    new HttpKeepAliveHandler(false),
                    new HttpErrorResponder(),
                    new HttpChunkAggregator(10),
                    new Hasty(200));
            receive(
                    channel,
                    method + " / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n" + framing
                            + "01234567890",
                    1000);
            assertEquals(List.of(), targets);
            String sent = ((ChannelBuffer) channel.takeWritten().get(0)).toString(ISO_8859_1);
            assertTrue(sent.startsWith("HTTP/1.1 413 "), sent);
        }
    }

    // ---- inflaters ----

    enum End {
        COMPLETE,
        CUT_OFF,
        MALFORMED,
        TOO_LARGE,
        CLOSED,
        REMOVED
    }

    /** Native memory, invisible to the garbage collector. */
    @ParameterizedTest
    @EnumSource
    void shouldGiveBackTheInflaterOfARequestHoweverItEnds(End end) throws IOException {
        int before = CoderPool.taken();
        for (int i = 0; i < 20; i++) {
            inflate(end);
        }
        assertEquals(before, CoderPool.taken());
    }

    private static void inflate(End end) throws IOException {
        HttpLimits limits = HttpLimits.defaults().toBuilder()
                .maxInflatedBytes(end == End.TOO_LARGE ? 1000 : 100_000)
                .build();
        HttpContentDecompressor decompressor = new HttpContentDecompressor(limits);
        MemoryChannel channel =
                MemoryChannel.connected(new HttpServerCodec(limits), decompressor, new HttpContentCompressor());
        String coded = new String(ZlibStreams.gzipped(new byte[50_000]), ISO_8859_1);
        String begun = end == End.MALFORMED ? "not gzip" : coded.substring(0, coded.length() - 10);
        receive(channel, CHUNKED + "Content-Encoding: gzip\r\n\r\n", 1000);
        receive(channel, Integer.toHexString(begun.length()) + "\r\n" + begun + "\r\n", 1000);
        switch (end) {
            case COMPLETE -> receive(channel, "a\r\n" + coded.substring(begun.length()) + "\r\n0\r\n\r\n", 1000);
            case CLOSED -> channel.close();
            case REMOVED -> channel.getPipeline().remove(decompressor);
            default -> receive(channel, "0\r\n\r\n", 1000);
        }
    }
}
