package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.CodedContent.buffer;
import static org.freshet.handler.codec.http.CodedContent.bytes;
import static org.freshet.handler.codec.http.CodedContent.deflated;
import static org.freshet.handler.codec.http.CodedContent.gzipped;
import static org.freshet.handler.codec.http.CodedContent.inflating;
import static org.freshet.handler.codec.http.CodedContent.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpContentDecompressionTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

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
}
