package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpContentCodingTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    // ---- compressing ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "*", "*;q=0.0", "gzip", "compress, gzip;q=0.5", "gzip; q=0.5, identity", "gzip ; q=0.1",
                        " gzip; q=0, deflate",
                " deflate ; q=0 , *;q=0.5", "identity", "deflate", "x-gzip", "x-deflate", "gzip;q=0.2, deflate;q=0.9",
                        "gzip;q=x", "br",
                "gzip, deflate", "identity;q=1, *;q=0", "deflate;q=0.5, gzip;q=0.5", "gzip;q=0, *",
                        "deflate;q=0.1, *;q=0"
            })
    void shouldChooseACodingAsNetty3Does(String acceptEncoding) throws Exception {
        class Theirs extends org.jboss.netty.handler.codec.http.HttpContentCompressor {
            String target() throws Exception {
                return getTargetContentEncoding(acceptEncoding);
            }
        }
        assertEquals(new Theirs().target(), new HttpContentCompressor().getTargetContentEncoding(acceptEncoding));
    }

    @Test
    void shouldCompressAWholeResponse() throws Exception {
        MemoryChannel channel = answering("gzip");
        response.setContent(buffer("hello hello hello"));
        response.headers().set("ETag", "\"x\"").set("Content-Length", 17);
        channel.write(response);

        HttpResponse sent = (HttpResponse) channel.takeWritten().get(0);
        assertEquals("gzip", sent.headers().get("Content-Encoding"));
        assertEquals("W/\"x\"", sent.headers().get("ETag"));
        assertEquals("Accept-Encoding", sent.headers().get("Vary"));
        assertEquals(sent.getContent().readableBytes(), HttpHeaders.getContentLength(sent));
        assertEquals("hello hello hello", gunzip(sent.getContent()));
    }

    @Test
    void shouldCompressChunks() throws Exception {
        MemoryChannel channel = answering("x, gzip;q=0.5");
        response.setChunked(true);
        response.headers().set("Content-Length", 6);
        channel.write(response);
        channel.write(new DefaultHttpChunk(buffer("abc")));
        channel.write(new DefaultHttpChunk(buffer("def")));
        assertTrue(channel.write(HttpChunk.LAST_CHUNK).isSuccess());

        List<Object> sent = channel.takeWritten();
        assertFalse(response.headers().contains("Content-Length"));
        assertEquals(HttpChunk.LAST_CHUNK, sent.get(sent.size() - 1));
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (Object chunk : sent.subList(1, sent.size() - 1)) {
            all.writeBytes(((HttpChunk) chunk).getContent().duplicate());
        }
        assertEquals("abcdef", gunzip(all));
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 206, 304})
    void shouldNotCompressResponsesThatMustNotBeCompressed(int code) {
        MemoryChannel channel = answering("gzip");
        response.setStatus(HttpResponseStatus.valueOf(code));
        response.setContent(buffer("abc"));
        channel.write(response);
        assertFalse(response.headers().contains("Content-Encoding"));
        assertFalse(response.headers().contains("Vary"));
    }

    @Test
    void shouldNotCompressAResponseThatIsAlreadyEncoded() {
        MemoryChannel channel = answering("gzip");
        response.setContent(buffer("abc"));
        response.headers().set("Content-Encoding", "br");
        channel.write(response);
        assertEquals("br", response.headers().get("Content-Encoding"));
        assertEquals("abc", response.getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldAddVary() {
        MemoryChannel channel = answering("identity");
        response.headers().set("Vary", "Cookie");
        response.setContent(buffer("abc"));
        channel.write(response);
        assertEquals(List.of("Cookie", "Accept-Encoding"), response.headers().getAll("Vary"));
        assertFalse(response.headers().contains("Content-Encoding"));
    }

    @Test
    void shouldSendTheAnswerToARequestThatTheDecoderRefused() {
        MemoryChannel channel = answering("gzip");
        channel.write(response);
        channel.takeWritten();
        HttpResponse refusal = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
        refusal.setContent(buffer("no"));
        assertTrue(channel.write(refusal).isSuccess());
        assertEquals(List.of(refusal), channel.takeWritten());
        assertFalse(refusal.headers().contains("Content-Encoding"));
    }

    @Test
    void shouldRefuseMoreResponsesThanRequestsButNotInterimOnes() {
        MemoryChannel channel = answering("gzip");
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        channel.write(response);
        channel.takeWritten();
        Throwable failure;
        try {
            failure = channel.write(response).getCause();
        } catch (Exception e) {
            failure = e;
        }
        assertInstanceOf(IllegalStateException.class, failure.getCause() == null ? failure : failure.getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldStopReadingWhileTooManyRequestsAreUnanswered() {
        MemoryChannel channel = answering("gzip");
        for (int i = 1; i < 128; i++) {
            channel.receive(request);
        }
        for (int round = 0; round < 3; round++) {
            assertFalse(channel.isReadable());
            for (int i = 0; i < 31; i++) {
                channel.write(response);
            }
            assertFalse(channel.isReadable());
            channel.write(response);
            assertTrue(channel.isReadable());
            for (int i = 0; i < 32; i++) {
                assertTrue(channel.isReadable());
                channel.receive(request);
            }
        }
    }

    // ---- other codings ----

    private static final ContentCodings REVERSED = ContentCodings.defaults()
            .with(
                    "Reversed",
                    () -> new EncoderEmbedder<>(new Reversing()),
                    () -> new DecoderEmbedder<>(new Reverting()));

    private static ChannelBuffer reversed(ChannelBuffer content) {
        StringBuilder text = new StringBuilder(content.toString(ISO_8859_1));
        return buffer(text.reverse().toString());
    }

    private static final class Reversing extends OneToOneEncoder {
        @Override
        protected Object encode(ChannelHandlerContext ctx, org.freshet.channel.Channel channel, Object msg) {
            return reversed((ChannelBuffer) msg);
        }
    }

    private static final class Reverting extends OneToOneDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, org.freshet.channel.Channel channel, Object msg) {
            return reversed((ChannelBuffer) msg);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "reversed, reversed",
        "'gzip, REVERSED', reversed",
        "'gzip, reversed;q=0.9', gzip",
        "'reversed;q=0.5, deflate;q=0.4, *', reversed",
        "'reversed;q=0, deflate', deflate",
        "*, gzip",
        "'gzip;q=0, *', deflate",
        "br,",
        "reversed;q=0,",
        "X-Reversed, reversed",
        "x-reversed;q=0,",
        "'gzip;q=2, deflate;level=9',",
    })
    void shouldPreferAnAddedCodingOfEqualQuality(String acceptEncoding, String chosen) throws Exception {
        assertEquals(chosen, new HttpContentCompressor(REVERSED).getTargetContentEncoding(acceptEncoding));
    }

    @Test
    void shouldPreferTheCodingThatWasAddedFirst() throws Exception {
        ContentCodings codings = ContentCodings.defaults()
                .with("decoded", null, () -> new DecoderEmbedder<>(new Reverting()))
                .with("b", () -> new EncoderEmbedder<>(new Reversing()), null)
                .with("a", () -> new EncoderEmbedder<>(new Reversing()), null);
        HttpContentCompressor compressor = new HttpContentCompressor(codings);
        assertEquals("b", compressor.getTargetContentEncoding("gzip, a, decoded, b"));
        assertEquals("a", compressor.getTargetContentEncoding("b;q=0.8, a;q=0.9, decoded"));
        assertNull(compressor.getTargetContentEncoding("decoded"));
        assertNull(new HttpContentDecompressor(HttpLimits.standard(), codings).newContentDecoder("b"));
    }

    @Test
    void shouldEncodeAndDecodeAnAddedCoding() {
        MemoryChannel server = MemoryChannel.connected(new HttpContentCompressor(REVERSED));
        request.headers().set("Accept-Encoding", "Reversed");
        server.receive(request);
        response.setContent(buffer("abc"));
        HttpHeaders.setContentLength(response, 3);
        server.write(response);
        HttpResponse encoded = (HttpResponse) server.takeWritten().get(0);
        assertEquals(
                "200 OK HTTP/1.1 Vary:Accept-Encoding Content-Encoding:reversed Content-Length:3 <cba>",
                Decoded.describe(encoded));

        MemoryChannel client = MemoryChannel.connected(new HttpContentDecompressor(HttpLimits.standard(), REVERSED));
        encoded.headers().set("Content-Encoding", "REVERSED");
        client.receive(encoded);
        assertEquals(
                "200 OK HTTP/1.1 Vary:Accept-Encoding Content-Length:3 <abc>",
                Decoded.describe(client.takeReceived().get(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "X-Deflate", "identity", "*", "", "a b", "a,b", "REVERSED"})
    void shouldRefuseANameThatIsInvalidOrAlreadyKnown(String name) {
        assertThrows(IllegalArgumentException.class, () -> REVERSED.with(name, null, null));
    }

    // ---- output buffered by encoders ----

    /** Produces nothing before the end. */
    private static final class Hoarding extends OneToOneEncoder {
        private final ChannelBuffer all = ChannelBuffers.dynamicBuffer();

        @Override
        protected Object encode(ChannelHandlerContext ctx, org.freshet.channel.Channel channel, Object msg) {
            all.writeBytes((ChannelBuffer) msg);
            return null;
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (!(e instanceof MessageEvent) && all.readable()) {
                Channels.write(ctx, Channels.future(ctx.getChannel()), all.readBytes(all.readableBytes()));
            }
            super.handleDownstream(ctx, e);
        }
    }

    /** An encoder that writes a header needs a message to start with. */
    @Test
    void shouldOfferAnEmptyBufferToAnEncoderThatWasOfferedNothing() {
        List<String> offered = new ArrayList<>();
        ContentCodings codings = ContentCodings.defaults()
                .with(
                        "note",
                        () -> new EncoderEmbedder<>(new OneToOneEncoder() {
                            @Override
                            protected Object encode(
                                    ChannelHandlerContext ctx, org.freshet.channel.Channel channel, Object msg) {
                                offered.add(((ChannelBuffer) msg).toString(ISO_8859_1));
                                return buffer("noted");
                            }
                        }),
                        null);
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor(codings));
        for (String content : new String[] {"", "abc", ""}) {
            channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/") {
                {
                    headers().set("Accept-Encoding", "note");
                }
            });
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.setChunked(true);
            channel.write(head);
            if (!content.isEmpty()) {
                channel.write(new DefaultHttpChunk(buffer(content)));
            }
            channel.write(HttpChunk.LAST_CHUNK);
            List<Object> sent = channel.takeWritten();
            assertEquals(3, sent.size(), sent::toString);
            assertEquals("noted", ((HttpChunk) sent.get(1)).getContent().toString(ISO_8859_1));
            assertEquals(List.of(content), offered);
            offered.clear();
        }
    }

    private MemoryChannel hoarding() {
        ContentCodings codings =
                ContentCodings.defaults().with("hoard", () -> new EncoderEmbedder<>(new Hoarding()), null);
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor(codings));
        request.headers().set("Accept-Encoding", "hoard");
        channel.receive(request);
        response.setChunked(true);
        channel.write(response);
        channel.takeWritten();
        return channel;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void shouldBufferNothingOfADeflatedChunk(String coding) {
        MemoryChannel channel = answering(coding);
        response.setChunked(true);
        channel.write(response);
        channel.takeWritten();
        DecoderEmbedder<ChannelBuffer> inflater =
                new DecoderEmbedder<>(new ZlibDecoder(coding.equals("gzip") ? ZlibWrapper.GZIP : ZlibWrapper.ZLIB));
        for (String text : List.of("a", "b".repeat(100_000), text(5000), "c")) {
            channel.write(new DefaultHttpChunk(buffer(text)));
            channel.takeWritten().forEach(chunk -> inflater.offer(((HttpChunk) chunk).getContent()));
            ChannelBuffer[] arrived = inflater.pollAll(new ChannelBuffer[0]);
            assertEquals(text, ChannelBuffers.wrappedBuffer(arrived).toString(ISO_8859_1));
            assertEquals(0, WriteAccount.waitingBytes(channel));
        }
    }

    @Test
    void shouldChargeOutputBufferedByAUsersEncoder() {
        MemoryChannel channel = hoarding();
        for (int i = 1; i <= 10; i++) {
            assertTrue(channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))))
                    .isSuccess());
            assertEquals(i * WriteAccount.costOf(1000), WriteAccount.waitingBytes(channel));
        }
        assertEquals(List.of(), channel.takeWritten());
        channel.holdWrites();
        channel.write(HttpChunk.LAST_CHUNK);
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
        HttpChunk all = (HttpChunk) channel.takeWritten().get(0);
        assertEquals(10_000, all.getContent().readableBytes());
    }

    @Test
    void shouldApplyTheLimitOfQueuedBytesToAUsersEncoder() {
        MemoryChannel channel = hoarding();
        channel.limit(4096);
        for (int i = 0; i < 100 && channel.isOpen(); i++) {
            channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))));
            assertTrue(WriteAccount.waitingBytes(channel) <= 4096);
        }
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldApplyTheLimitOfQueuedBytesToADeflatedAnswer() {
        MemoryChannel channel = answering("gzip");
        response.setChunked(true);
        channel.write(response);
        channel.limit(4096);
        channel.holdWrites();
        for (int i = 0; i < 100 && channel.isOpen(); i++) {
            channel.write(new DefaultHttpChunk(buffer(text(1000))));
            assertTrue(WriteAccount.waitingBytes(channel) <= 4096 + WriteAccount.costOf(1000));
        }
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    /** Keeps the channel open although its close was requested, for example until the peer has read everything. */
    private static final class LingeringChannel extends SimpleChannelDownstreamHandler {
        private int closeRequests;

        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closeRequests++;
        }
    }

    /** Its next chunk will be refused. */
    private MemoryChannel full(ChannelHandler lowest) {
        MemoryChannel channel = MemoryChannel.connected(lowest, new HttpContentCompressor());
        request.headers().set("Accept-Encoding", "gzip");
        channel.receive(request);
        channel.receive(request);
        response.setChunked(true);
        channel.write(response);
        channel.holdWrites();
        channel.write(new DefaultHttpChunk(buffer(text(20_000))));
        channel.takeWritten();
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
        return channel;
    }

    private static void assertRefused(MemoryChannel channel, HttpChunk chunk) {
        assertInstanceOf(WriteOverflowException.class, Await.failure(channel.write(chunk), "the write of a chunk"));
    }

    @Test
    void shouldRequestOneCloseAndSendNoMoreOfTheResponseAfterARefusedChunk() {
        LingeringChannel linger = new LingeringChannel();
        MemoryChannel channel = full(linger);
        HttpChunk chunk = new DefaultHttpChunk(buffer("x"));
        assertRefused(channel, chunk);
        assertRefused(channel, chunk);
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertRefused(channel, chunk);
        assertRefused(channel, HttpChunk.LAST_CHUNK);
        assertEquals(List.of(), channel.takeWritten());
        assertEquals(1, linger.closeRequests);
        channel.write(OutputShutdown.INSTANCE); // by a handler above that lingers, too
        assertEquals(List.of(OutputShutdown.INSTANCE), channel.takeWritten());
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    /** The end of the response is small enough for the room that is left. */
    @Test
    void shouldNotSendTheEndOfTheResponseThatTheListenerOfARefusedChunkWrites() {
        MemoryChannel channel = full(new LingeringChannel());
        channel.limit((int) WriteAccount.waitingBytes(channel) + 2_000, WriteOverflow.FAIL);
        ChannelFuture refused = Channels.future(channel);
        List<ChannelFuture> end = new ArrayList<>();
        refused.addListener(done -> end.add(channel.write(HttpChunk.LAST_CHUNK)));
        HttpChunk chunk = new DefaultHttpChunk(buffer(text(8_000)));
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, refused, chunk, null));
        channel.completeWrites();
        assertInstanceOf(WriteOverflowException.class, Await.failure(refused, "the write of a chunk"));
        assertInstanceOf(WriteOverflowException.class, Await.failure(end.get(0), "the write of the end"));
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldRequestTheCloseWithTheNextChunkIfThereWasNoMemoryForItAfterARefusal() {
        int closedLater = 0;
        boolean wasReached = true;
        for (int step = 0; wasReached; step++) {
            response.headers().remove("Content-Encoding");
            LingeringChannel linger = new LingeringChannel();
            MemoryChannel channel = full(linger);
            Scarcity scarcity = new Scarcity(step);
            MessageEvent write = scarcity.write(channel, new DefaultHttpChunk(buffer("x")));
            Scarcity.survive(() -> channel.getPipeline().sendDownstream(write));
            wasReached = scarcity.wasReached();
            if (write.getFuture().getCause() instanceof WriteOverflowException) {
                closedLater += 1 - linger.closeRequests;
                channel.completeWrites();
                assertRefused(channel, HttpChunk.LAST_CHUNK);
                assertEquals(1, linger.closeRequests);
            }
            channel.getPipeline().remove(linger);
            channel.close();
        }
        assertTrue(closedLater > 0);
    }

    @Test
    void shouldSendTheResponseAfterAnIncompleteOne() throws Exception {
        MemoryChannel channel = full(new LingeringChannel());
        assertRefused(channel, new DefaultHttpChunk(buffer("x")));
        channel.completeWrites();

        HttpResponse whole = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        whole.setContent(buffer("hello hello hello"));
        channel.write(whole);
        assertEquals(List.of(whole), channel.takeWritten());
        assertEquals("hello hello hello", gunzip(whole.getContent()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "remove", "respond"})
    void shouldReleaseOutputOfAnAbandonedEncoder(String end) {
        MemoryChannel channel = hoarding();
        channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))));
        assertTrue(WriteAccount.waitingBytes(channel) > 0);
        switch (end) {
            case "close" -> channel.close();
            case "remove" -> channel.getPipeline().remove(HttpContentCompressor.class);
            default -> channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST));
        }
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    private MemoryChannel answering(String acceptEncoding) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        request.headers().set("Accept-Encoding", acceptEncoding);
        channel.receive(request);
        channel.takeReceived();
        return channel;
    }

    // ---- decompressing ----

    @ParameterizedTest
    @CsvSource({"gzip", "x-gzip", "GZIP", "X-Gzip", "deflate", "x-deflate", "DEFLATE"})
    void shouldDecodeAKnownCoding(String coding) throws Exception {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", coding).set("Content-Length", 1);
        boolean isDeflate = coding.toLowerCase(Locale.ROOT).contains("deflate");
        request.setContent(isDeflate ? deflated(text(5000)) : gzipped(text(5000)));
        channel.receive(request);

        HttpRequest received = (HttpRequest) channel.takeReceived().get(0);
        assertEquals(text(5000), received.getContent().toString(ISO_8859_1));
        assertEquals("5000", received.headers().get("Content-Length"));
        assertFalse(received.headers().contains("Content-Encoding"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "identity", "gzip, deflate"})
    void shouldNotChangeAnUnknownCoding(String coding) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", coding);
        request.setContent(buffer("abc"));
        channel.receive(request);
        assertEquals(List.of(request), channel.takeReceived());
        assertEquals(coding, request.headers().get("Content-Encoding"));
        assertEquals("abc", request.getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldPassDecodedPiecesOfChunks() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        ChannelBuffer encoded = gzipped(text(300_000));
        while (encoded.readable()) {
            channel.receive(new DefaultHttpChunk(encoded.readBytes(Math.min(100, encoded.readableBytes()))));
        }
        channel.receive(HttpChunk.LAST_CHUNK);

        List<Object> received = channel.takeReceived();
        assertEquals(HttpChunk.LAST_CHUNK, received.get(received.size() - 1));
        StringBuilder decoded = new StringBuilder();
        for (Object chunk : received.subList(0, received.size() - 1)) {
            assertTrue(((HttpChunk) chunk).getContent().readableBytes() <= 1 << 16);
            decoded.append(((HttpChunk) chunk).getContent().toString(ISO_8859_1));
        }
        assertEquals(text(300_000), decoded.toString());
    }

    @Test
    void shouldKeepPiecesAndWhatFollowsWhileReadingIsSuspended() throws Exception {
        SuspendingReceiver receiver = new SuspendingReceiver();
        MemoryChannel channel = receiver.channel;
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(gzipped(text(300_000))));
        channel.receive(HttpChunk.LAST_CHUNK);
        channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/next"));
        StringBuilder decoded = new StringBuilder();
        for (int i = 1; i <= 300_000 / (1 << 16) + 1; i++) {
            assertEquals(1 + i, receiver.messages.size(), "the request and one piece each time");
            channel.setReadable(true);
            decoded.append(((HttpChunk) receiver.messages.get(i)).getContent().toString(ISO_8859_1));
        }
        assertEquals(text(300_000), decoded.toString());
        assertEquals(HttpChunk.LAST_CHUNK, receiver.messages.get(receiver.messages.size() - 2));
        assertEquals("GET /next HTTP/1.1 <>", Decoded.describe(receiver.messages.get(receiver.messages.size() - 1)));
    }

    /** The codec doesn't read either, because of the second request, so resuming changes nothing below it. */
    @Test
    void shouldContinueWhenReadingResumesBeforeAPipelinedRequest() throws Exception {
        SuspendingReceiver receiver = new SuspendingReceiver(new HttpServerCodec());
        receiver.channel.receive(uploadBeforeGet(gzipped(text(300_000))));
        for (int i = 2; receiver.last() != HttpChunk.LAST_CHUNK; i++) {
            assertEquals(i, receiver.messages.size(), "the request and one piece each time");
            receiver.channel.setReadable(true);
        }
        response.setContent(buffer("got it"));
        receiver.channel.write(response);
        assertEquals(
                "/next", assertInstanceOf(HttpRequest.class, receiver.last()).getUri());
    }

    private static ChannelBuffer uploadBeforeGet(ChannelBuffer content) {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
        return ChannelBuffers.wrappedBuffer(
                buffer(head + Integer.toHexString(content.readableBytes()) + "\r\n"),
                content,
                buffer("\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @Test
    void shouldNotWaitForAnEarlierHandlerThatHasSuspendedReading() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        Channels.setInterestOps(
                channel.getPipeline().getContext(HttpContentDecompressor.class), Channels.future(channel), 0);
        channel.receive(new DefaultHttpChunk(gzipped(text(300_000))));
        assertEquals(300_000, bytes(channel.takeReceived()));
    }

    @Test
    void shouldDeliverHeldMessagesBeforeTheConnectionEnds() throws Exception {
        SuspendingReceiver receiver = new SuspendingReceiver();
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        receiver.channel.receive(request);
        receiver.channel.receive(new DefaultHttpChunk(gzipped(text(300_000))));
        receiver.channel.receive(HttpChunk.LAST_CHUNK);
        receiver.channel.disconnect();
        assertEquals(1 + 5 + 1, receiver.messages.size());
        assertEquals(HttpChunk.LAST_CHUNK, receiver.messages.get(6));
    }

    @Test
    void shouldReportTheEndOfTheInputAfterHeldMessages() throws Exception {
        SuspendingReceiver receiver = new SuspendingReceiver();
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        receiver.channel.receive(request);
        receiver.channel.receive(new DefaultHttpChunk(gzipped(text(100_000))));
        receiver.channel.receive(HttpChunk.LAST_CHUNK);
        receiver.channel.getPipeline().sendUpstream(new InputShutdownEvent(receiver.channel));
        while (receiver.messages.size() < 4) {
            assertFalse(receiver.messages.contains("the end"), "after " + receiver.messages.size() + " messages");
            receiver.channel.setReadable(true);
        }
        receiver.channel.setReadable(true);
        assertEquals(List.of(HttpChunk.LAST_CHUNK, "the end"), receiver.messages.subList(3, receiver.messages.size()));
    }

    @Test
    void shouldContinueAfterAMessageThatFailsAfterASuspension() throws Exception {
        SuspendingReceiver receiver = new SuspendingReceiver();
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        receiver.channel.receive(request);
        ChannelBuffer encoded = gzipped(text(100_000));
        receiver.channel.receive(new DefaultHttpChunk(encoded.readBytes(encoded.readableBytes() - 8)));
        receiver.channel.receive(new DefaultHttpChunk(buffer("corrupt!")));
        receiver.channel.receive(HttpChunk.LAST_CHUNK);
        receiver.channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/next"));
        while (receiver.messages.size() < 4) {
            receiver.channel.setReadable(true);
        }
        assertEquals("GET /next HTTP/1.1 <>", Decoded.describe(receiver.messages.get(3)));
        assertEquals(
                "failure 400", Decoded.describe(receiver.channel.takeCaught().get(0)));
    }

    /** Suspends reading with each message. */
    private static final class SuspendingReceiver extends SimpleChannelUpstreamHandler {
        final List<Object> messages = new ArrayList<>();
        final MemoryChannel channel;

        SuspendingReceiver() {
            channel = MemoryChannel.connected(new HttpContentDecompressor(), this);
        }

        SuspendingReceiver(HttpServerCodec codec) {
            channel = MemoryChannel.connected(codec, new HttpContentDecompressor(), this);
        }

        Object last() {
            return messages.get(messages.size() - 1);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            messages.add(e.getMessage());
            e.getChannel().setReadable(false);
        }

        @Override
        public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
            messages.add("the end");
        }
    }

    @Test
    void shouldRefuseWhatDecodesToTooMuchAndDiscardTheRest() throws Exception {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(100_000).build();
        MemoryChannel channel = inflating(limits);
        channel.receive(new DefaultHttpChunk(gzipped(text(100_001))));
        channel.receive(new DefaultHttpChunk(buffer("more")));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals(100_000, bytes(channel.takeReceived()));
        channel.receive(request);
        assertEquals(1, channel.takeReceived().size());
    }

    @Test
    void shouldRefuseWhatGrowsTooMuchWhenItIsDecoded() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(gzipped("\0".repeat(20_000_000))));
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertTrue(bytes(channel.takeReceived()) <= (1 << 21) + (1 << 16));
    }

    @Test
    void shouldApplyTheSameLimitsToAWholeMessage() throws Exception {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", "gzip");
        request.setContent(gzipped("\0".repeat(20_000_000)));
        channel.receive(request);
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldHoldAUsersDecoderToTheLimitOfBytes() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(5).build();
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecoder(limits) {
            @Override
            protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) {
                return new DecoderEmbedder<>(new OneToOneDecoder() {
                    @Override
                    protected Object decode(
                            ChannelHandlerContext ctx, org.freshet.channel.Channel channel, Object msg) {
                        return ChannelBuffers.wrappedBuffer((ChannelBuffer) msg, (ChannelBuffer) msg);
                    }
                });
            }
        });
        request.headers().set("Content-Encoding", "double");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(buffer("ab")));
        channel.receive(new DefaultHttpChunk(buffer("ab")));
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals("chunk abab", Decoded.describe(channel.takeReceived().get(1)));
    }

    @Test
    void shouldRefuseContentThatIsCutOffOrCorrupt() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        ChannelBuffer encoded = gzipped("hello");
        channel.receive(new DefaultHttpChunk(encoded.readBytes(encoded.readableBytes() - 1)));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 400", Decoded.describe(channel.takeCaught().get(0)));

        MemoryChannel other = inflating(HttpLimits.standard());
        other.receive(new DefaultHttpChunk(buffer("this is not gzip")));
        other.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 400", Decoded.describe(other.takeCaught().get(0)));
        assertEquals(List.of(), other.takeReceived());
    }

    @ParameterizedTest
    @CsvSource({"gzip, 1", "gzip, 1000", "deflate, 1", "deflate, 1000"})
    void shouldRefuseBytesAfterTheEndOfTheStreamAndKeepNone(String coding, int pieceBytes) throws Exception {
        MemoryChannel channel = inflating(coding, HttpLimits.standard());
        ChannelBuffer hello = coding.equals("gzip") ? gzipped("hello") : deflated("hello");
        ChannelBuffer encoded = ChannelBuffers.wrappedBuffer(hello, buffer("more"));
        while (encoded.readable()) {
            int length = Math.min(pieceBytes, encoded.readableBytes());
            channel.receive(new DefaultHttpChunk(encoded.readBytes(length)));
        }
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()), "before the content ends");
        channel.receive(HttpChunk.LAST_CHUNK);

        String received = String.join("", describe(channel.takeReceived()));
        assertEquals("hello", received.replace("chunk ", ""));
        assertEquals(List.of(), channel.takeCaught());
        channel.receive(request);
        assertEquals(List.of(request), channel.takeReceived());
    }

    @Test
    void shouldRefuseAnIncompleteGzipMember() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(gzipped("hello"), buffer("\u001f"))));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()));
    }

    @Test
    void shouldJoinGzipMembers() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(gzipped("a"), gzipped("b"))));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("chunk a", "chunk b", "end"), describe(channel.takeReceived()));
        assertEquals(List.of(), channel.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void shouldRefuseBytesAfterTheEndOfTheStreamInAWholeMessage(String coding) throws Exception {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", coding);
        ChannelBuffer hello = coding.equals("gzip") ? gzipped("hello") : deflated("hello");
        request.setContent(ChannelBuffers.wrappedBuffer(hello, buffer("more")));
        channel.receive(request);
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()));
        assertEquals(List.of(), channel.takeReceived());
    }

    private static List<String> describe(List<?> events) {
        List<String> descriptions = new ArrayList<>();
        events.forEach(event -> descriptions.add(Decoded.describe(event)));
        return descriptions;
    }

    @Test
    void shouldSendNoSecondPieceToAHandlerThatClosesAtTheFirst() throws Exception {
        int[] pieces = new int[1];
        MemoryChannel channel =
                MemoryChannel.connected(new HttpContentDecompressor(), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        if (e.getMessage() instanceof HttpChunk) {
                            pieces[0]++;
                            Channels.close(e.getChannel());
                        }
                    }
                });
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(gzipped(text(1_000_000))));
        assertEquals(1, pieces[0]);
    }

    @Test
    void shouldReturnAnIndependentEmbedder() throws Exception {
        DecoderEmbedder<ChannelBuffer> embedder = new HttpContentDecompressor().newContentDecoder("gzip");
        embedder.offer(gzipped("hello"));
        assertEquals("hello", embedder.poll().toString(ISO_8859_1));
        DecoderEmbedder<ChannelBuffer> other = new HttpContentDecompressor().newContentDecoder("deflate");
        other.offer(deflated("hello"));
        assertEquals("hello", other.poll().toString(ISO_8859_1));
        assertNull(new HttpContentDecompressor().newContentDecoder("br"));
    }

    private MemoryChannel inflating(HttpLimits limits) {
        return inflating("gzip", limits);
    }

    private MemoryChannel inflating(String coding, HttpLimits limits) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor(limits));
        HttpRequest chunked = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        chunked.headers().set("Content-Encoding", coding).set("Content-Length", 5);
        chunked.setChunked(true);
        channel.receive(chunked);
        assertEquals(List.of(chunked), channel.takeReceived());
        assertTrue(chunked.headers().isEmpty());
        return channel;
    }

    private static int bytes(List<Object> chunks) {
        return chunks.stream()
                .mapToInt(chunk -> ((HttpChunk) chunk).getContent().readableBytes())
                .sum();
    }

    private static String text(int length) {
        StringBuilder text = new StringBuilder(length + 16);
        for (long i = 1; text.length() < length; i = i * 6364136223846793005L + 1442695040888963407L) {
            text.append(Long.toString(i >>> 40, 36)).append(' ');
        }
        return text.substring(0, length);
    }

    private static ChannelBuffer buffer(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private static ChannelBuffer gzipped(String latin1) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(latin1.getBytes(ISO_8859_1));
        }
        return ChannelBuffers.wrappedBuffer(bytes.toByteArray());
    }

    private static ChannelBuffer deflated(String latin1) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(latin1.getBytes(ISO_8859_1));
        }
        return ChannelBuffers.wrappedBuffer(bytes.toByteArray());
    }

    private static String gunzip(ChannelBuffer encoded) throws IOException {
        try (java.util.zip.GZIPInputStream in = new java.util.zip.GZIPInputStream(
                new org.freshet.buffer.ChannelBufferInputStream(encoded.duplicate()))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }
}
