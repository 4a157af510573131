package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A head that a handler holds counts with its start line and headers: they may be larger than the content. */
class HeldHeadsTest {
    private static final int LENGTH = 8 * 1024;
    private static final String LONG = "x".repeat(LENGTH);

    private static HttpResponse response() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    private static HttpRequest request(String uri) {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri);
    }

    private static HttpResponse largeResponse() {
        HttpResponse response = response();
        response.headers().set("Note", LONG);
        return response;
    }

    static Stream<Object> largeMessages() {
        HttpRequest request = request("/");
        request.headers().set("Cookie", LONG);
        HttpMessage withTrailers = response();
        withTrailers.trailingHeaders().add("Note", LONG);
        HttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().add("Note", LONG);
        HttpResponse reason = new DefaultHttpResponse(HttpVersion.HTTP_1_1, new HttpResponseStatus(299, LONG));
        HttpHeaders users = new DefaultHttpHeaders() {}; // of a class that may override the accessors
        users.add("Note", LONG);
        return Stream.of(
                request,
                largeResponse(),
                withTrailers,
                trailer,
                reason,
                request("/" + LONG),
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", users),
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(LONG), "/"),
                received());
    }

    private static HttpRequest received() {
        ChannelBuffer bytes = ChannelBuffers.copiedBuffer(
                "GET / HTTP/1.1\r\nHost: a\r\nX-Mine:  " + LONG + "\r\nAccept:*/*\r\n\r\n", ISO_8859_1);
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new HttpRequestDecoder(
                HttpLimits.defaults().toBuilder().maxHeaderSize(4 * LENGTH).build()));
        decoder.offer(bytes);
        return decoder.poll();
    }

    @ParameterizedTest(name = "{index}") // they are long
    @MethodSource("largeMessages")
    void shouldCountWhatIsSentInTheWriteAccount(Object message) {
        long waiting = WriteAccount.bytesOf(message);
        assertTrue(waiting >= LENGTH && waiting < LENGTH + 300, () -> waiting + " bytes: " + message.getClass());
    }

    @ParameterizedTest(name = "{index}") // they are long
    @MethodSource("largeMessages")
    void shouldCountReceivedHeadsInExecutors(Object message) {
        int bytes = new DefaultObjectSizeEstimator().estimateSize(message);
        assertTrue(bytes >= LENGTH, () -> bytes + " bytes: " + message.getClass());
    }

    /** The bytes of a received head become Strings when they are asked for. */
    @Test
    void shouldNotChangeWhenHeadersAreRead() {
        HttpRequest request = received();
        long unread = WriteAccount.bytesOf(request);
        assertEquals("a", request.headers().get("Host"));
        assertEquals(unread, WriteAccount.bytesOf(request));
        assertEquals(3, request.headers().entries().size());
        assertEquals(unread, WriteAccount.bytesOf(request));
        request.headers().set("Host", "b"); // moves the others
        assertEquals(unread, WriteAccount.bytesOf(request));
        request.headers().add("Note", LONG);
        assertTrue(WriteAccount.bytesOf(request) >= unread + LENGTH);
    }

    static Stream<ChannelHandler> holdingHandlers() {
        return Stream.of(new BufferedWriteHandler(), new ExecutionHandler(task -> {}, true, false));
    }

    @ParameterizedTest
    @MethodSource("holdingHandlers")
    void shouldChargeHeadsThatAHandlerHolds(ChannelHandler holding) {
        MemoryChannel channel = MemoryChannel.connected(holding);
        channel.write(largeResponse());
        channel.write(largeResponse());
        long waiting = WriteAccount.waitingBytes(channel);
        assertTrue(waiting >= 2 * LENGTH, () -> waiting + " bytes wait");
    }

    @Test
    void shouldRefuseHeadsBeyondTheWriteLimit() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(task -> {}, true, false))
                .limit(3 * LENGTH, WriteOverflow.FAIL);
        channel.write(largeResponse());
        channel.write(largeResponse());
        assertInstanceOf(
                WriteOverflowException.class, channel.write(largeResponse()).getCause());
        assertTrue(WriteAccount.waitingBytes(channel) <= 3 * LENGTH);
    }

    /** What was charged is released, whatever became of the head meanwhile. */
    @Test
    void shouldReleaseWhatWasChargedAlthoughHeadersChange() {
        BufferedWriteHandler holding = new BufferedWriteHandler();
        MemoryChannel channel = MemoryChannel.connected(holding);
        HttpResponse small = response();
        HttpResponse large = largeResponse();
        channel.write(small);
        channel.write(large);
        small.headers().set("Note", LONG);
        large.headers().clear();
        holding.flush();
        assertEquals(2, channel.takeWritten().size());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }
}
