package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.CodedContent.text;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class HttpContentCodingContract {
    /** Compresses to about half, so that its pieces are split anywhere. */
    private static final String TEXT = text(200_000);

    private static final int MOST_IN_A_PIECE = 1 << 16;

    private final TextClient.Wire wire;

    HttpContentCodingContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    private static String gzipped(String latin1) {
        return new String(ZlibStreams.gzipped(latin1.getBytes(ISO_8859_1)), ISO_8859_1);
    }

    private static String gunzipped(String latin1) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(latin1.getBytes(ISO_8859_1)))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }

    // ---- answers ----

    private WireExchange compressing(String method, String acceptEncoding) {
        WireExchange exchange = new WireExchange(wire, () -> new ChannelHandler[] {new HttpContentCompressor()});
        exchange.receive(method + " / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + acceptEncoding + "\r\n\r\n");
        exchange.takeReceived();
        return exchange;
    }

    @ParameterizedTest
    @CsvSource({"gzip, gzip", "'br, deflate;q=0.5', deflate", "identity,", "'gzip;q=0, *;q=0',"})
    void shouldCompressAnAnswerAsItsClientPrefers(String acceptEncoding, String coding) {
        WireExchange exchange = compressing("GET", acceptEncoding);
        HttpResponse response = WireExchange.response(200, TEXT);
        response.headers().set("Content-Length", TEXT.length()).set("ETag", "\"x\"");

        assertTrue(exchange.channel().write(response).isSuccess());

        String answer = exchange.sent();
        assertEquals(coding, header(answer, "Content-Encoding"));
        assertEquals(coding == null ? "\"x\"" : "W/\"x\"", header(answer, "Etag"));
        assertEquals("Accept-Encoding", header(answer, "Vary"));
        assertEquals(content(answer).length(), Integer.parseInt(header(answer, "Content-Length")));
        assertEquals(coding == null, content(answer).equals(TEXT));
    }

    @Test
    void shouldCompressContentInChunks() throws IOException {
        WireExchange exchange = compressing("GET", "gzip");
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);

        exchange.channel().write(head);
        exchange.chunk(TEXT.substring(0, 10));
        exchange.chunk(TEXT.substring(10));
        assertTrue(exchange.channel().write(HttpChunk.LAST_CHUNK).isSuccess());

        String answer = exchange.sent();
        assertEquals("gzip", header(answer, "Content-Encoding"));
        assertNull(header(answer, "Content-Length"));
        boolean isInChunks = header(answer, "Transfer-Encoding") != null;
        assertEquals(TEXT, gunzipped(isInChunks ? joined(content(answer)) : content(answer)));
    }

    private static String joined(String chunks) {
        StringBuilder content = new StringBuilder();
        int at = 0;
        for (int length = -1; length != 0; ) {
            int line = chunks.indexOf("\r\n", at);
            length = Integer.parseInt(chunks.substring(at, line), 16);
            content.append(chunks, line + 2, line + 2 + length);
            at = line + 2 + length + 2;
        }
        return content.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 206, 304})
    void shouldNotCompressAnswersThatMustNotBeCompressed(int status) {
        WireExchange exchange = compressing("GET", "gzip");

        exchange.channel().write(WireExchange.response(status, status == 206 ? TEXT : ""));

        String answer = exchange.sent();
        assertNull(header(answer, "Content-Encoding"));
        assertEquals(status == 206 ? TEXT : "", content(answer));
    }

    @Test
    void shouldCompressNothingForHead() {
        WireExchange exchange = compressing("HEAD", "gzip");
        HttpResponse response = WireExchange.response(200, "");
        response.headers().set("Content-Length", TEXT.length());

        exchange.channel().write(response);

        String answer = exchange.sent();
        assertEquals("", content(answer));
        assertEquals(200, Connection.status(answer));
    }

    // ---- requests ----

    private WireExchange decompressing(HttpLimits limits, ChannelHandler... above) {
        return new WireExchange(wire, () -> {
            ChannelHandler[] all = new ChannelHandler[1 + above.length];
            all[0] = new HttpContentDecompressor(limits);
            System.arraycopy(above, 0, all, 1, above.length);
            return all;
        });
    }

    private static String post(String encoded) {
        return "POST /up HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " + encoded.length()
                + "\r\n\r\n" + encoded;
    }

    private static String postInChunks(String encoded, int pieceLength) {
        StringBuilder text = new StringBuilder(
                "POST /up HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < encoded.length(); at += pieceLength) {
            String piece = encoded.substring(at, Math.min(encoded.length(), at + pieceLength));
            text.append(Integer.toHexString(piece.length()))
                    .append("\r\n")
                    .append(piece)
                    .append("\r\n");
        }
        return text.append("0\r\n\r\n").toString();
    }

    /** The content of a message and of the chunks after it. */
    private static String contentOf(List<Object> received) {
        StringBuilder content = new StringBuilder();
        for (Object message : received) {
            content.append(
                    (message instanceof HttpChunk chunk ? chunk.getContent() : ((HttpMessage) message).getContent())
                            .toString(ISO_8859_1));
        }
        return content.toString();
    }

    private static boolean isLast(Object message) {
        return message instanceof HttpChunk chunk && chunk.isLast();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 200_000})
    void shouldDecodeAWholeRequest(int length) throws IOException {
        WireExchange exchange = decompressing(HttpLimits.standard());

        exchange.receive(post(gzipped(TEXT.substring(0, length))));

        List<Object> received = exchange.takeReceived();
        HttpRequest request = (HttpRequest) received.get(0);
        assertNull(request.headers().get("Content-Encoding"));
        assertEquals(length == 500 ? "500" : null, request.headers().get("Content-Length"));
        assertEquals(TEXT.substring(0, length), contentOf(received));
        assertEquals(List.of(), exchange.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(ints = {257, 5000, 1_000_000})
    void shouldDecodeARequestInChunks(int pieceLength) throws IOException {
        WireExchange exchange = decompressing(HttpLimits.standard());

        exchange.receive(postInChunks(gzipped(TEXT), pieceLength));

        List<Object> received = exchange.takeReceived();
        assertEquals(TEXT, contentOf(received));
        assertTrue(isLast(received.get(received.size() - 1)));
    }

    @Test
    void shouldHoldPiecesWhileReadingIsSuspended() throws IOException {
        WireExchange exchange = decompressing(HttpLimits.standard(), new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().setReadable(false);
                ctx.sendUpstream(e);
            }
        });
        exchange.receive(postInChunks(gzipped(TEXT), 1_000_000));
        List<Object> received = new ArrayList<>(exchange.takeReceived());
        assertTrue(contentOf(received).length() <= MOST_IN_A_PIECE, "the request and at most a piece");

        while (!isLast(received.get(received.size() - 1))) {
            exchange.channel().setReadable(true);
            List<Object> more = exchange.takeReceived();
            assertFalse(more.isEmpty(), "a piece each time");
            received.addAll(more);
        }

        assertEquals(TEXT, contentOf(received));
    }

    @Test
    void shouldRefuseContentThatDecodesToTooMuch() throws IOException {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(100_000).build();
        WireExchange exchange = decompressing(limits);

        exchange.receive(postInChunks(gzipped(TEXT), 5000));

        assertFailure(413, exchange);
        assertEquals(100_000, contentOf(exchange.takeReceived()).length());
    }

    @Test
    void shouldRefuseContentThatIsCutOffOrCorrupt() throws IOException {
        String encoded = gzipped(TEXT.substring(0, 500));
        for (String broken : new String[] {encoded.substring(0, encoded.length() - 1), "this is not gzip"}) {
            WireExchange exchange = decompressing(HttpLimits.standard());

            exchange.receive(postInChunks(broken, 5000));

            assertFailure(400, exchange);
        }
    }

    private static void assertFailure(int status, WireExchange exchange) {
        List<Throwable> caught = exchange.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        HttpFailure failure = assertInstanceOf(HttpFailure.class, caught.get(0));
        assertEquals(status, failure.suggestedStatus().getCode());
    }

    // ---- both ----

    @Test
    void shouldDecodeRequestsAndCompressAnswers() throws IOException {
        WireExchange exchange = new WireExchange(wire, () -> new ChannelHandler[] {
            new HttpContentDecompressor(),
            new HttpContentCompressor(),
            new HttpChunkAggregator(1 << 20),
            new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    HttpRequest request = (HttpRequest) e.getMessage();
                    e.getChannel()
                            .write(WireExchange.response(
                                    200, request.getContent().toString(ISO_8859_1)));
                }
            }
        });
        for (int i = 0; i < 3; i++) {
            String message = "message " + i;
            exchange.receive(
                    post(gzipped(message)).replace("Content-Encoding", "Accept-Encoding: gzip\r\nContent-Encoding"));
            assertEquals(message, gunzipped(content(exchange.sent())));
        }
    }
}
