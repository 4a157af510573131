package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a stream sends of the messages that handlers written for HTTP/1.1 write. */
class Http2ServerAnswersTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    @Test
    void shouldSendHeadAndContentInOneMessageAndCloseTheStream() {
        peer.send(peer.get(1, "/"));
        HttpResponse response = response("hello");
        response.headers().set("Content-Type", "text/plain");
        response.headers().set("Connection", "keep-alive, X-Hop");
        response.headers().set("Keep-Alive", "timeout=5");
        response.headers().set("X-Hop", "1");
        log.take();

        ChannelFuture written = log.last().write(response);

        assertEquals(List.of("HEADERS 1 :status=200 content-type=text/plain", "DATA 1 'hello' END"), peer.lines());
        assertEquals(1, peer.messages());
        assertTrue(written.isSuccess());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
        assertFalse(log.last().isOpen());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldAnswerAllRequestsOfAReadInOneMessage() {
        log.reaction = (channel, message) -> channel.write(response("x"));

        peer.send(peer.get(1, "/"), peer.get(3, "/"), peer.get(5, "/"));

        assertEquals(
                List.of(
                        "HEADERS 1 :status=200",
                        "HEADERS 3 :status=200",
                        "HEADERS 5 :status=200",
                        "DATA 1 'x' END",
                        "DATA 3 'x' END",
                        "DATA 5 'x' END"),
                peer.lines());
        assertEquals(1, peer.messages());
    }

    @Test
    void shouldEndTheStreamWithTheHeadIfThereIsNoContent() {
        peer.send(peer.get(1, "/"));

        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND));

        assertEquals(List.of("HEADERS 1 :status=404 END"), peer.lines());
    }

    @Test
    void shouldSendChunksOfOneReadInOneFrame() {
        log.reaction = (channel, message) -> {
            HttpResponse head = response("");
            head.setChunked(true);
            channel.write(head);
            for (String chunk : List.of("one ", "two ", "three")) {
                channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(chunk, ISO_8859_1)));
            }
            channel.write(HttpChunk.LAST_CHUNK);
        };

        peer.send(peer.get(1, "/"));

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'one two three' END"), peer.lines());
    }

    @Test
    void shouldSendTrailers() {
        peer.send(peer.get(1, "/"));
        HttpResponse head = response("");
        head.setChunked(true);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().set("Check", "1");

        log.last().write(head);
        log.last().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("x", ISO_8859_1)));
        log.last().write(trailer);

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x'", "HEADERS 1 check=1 END"), peer.lines());
    }

    @Test
    void shouldEndTheStreamWhenTheContentReachesItsLength() {
        peer.send(peer.get(1, "/"));
        HttpResponse head = response("");
        HttpHeaders.setContentLength(head, 4);

        log.last().write(head);
        log.last().write(ChannelBuffers.copiedBuffer("ab", ISO_8859_1));
        log.last().write(ChannelBuffers.copiedBuffer("cd", ISO_8859_1));

        assertEquals(List.of("HEADERS 1 :status=200 content-length=4", "DATA 1 'ab'", "DATA 1 'cd' END"), peer.lines());
    }

    @Test
    void shouldSendARegionOfAFile() {
        peer.send(peer.get(1, "/"));
        HttpResponse head = response("");
        HttpHeaders.setContentLength(head, 40_000);
        log.last().write(head);

        ChannelFuture written = log.last().write(new Zeros(40_000, 40_000));

        assertEquals(
                List.of(
                        "HEADERS 1 :status=200 content-length=40000",
                        "DATA 1 16384",
                        "DATA 1 16384",
                        "DATA 1 7232 END"),
                peer.lines());
        assertTrue(written.isSuccess());
    }

    @Test
    void shouldResetTheStreamWhenAFileIsShorterThanItsRegion() {
        peer.send(peer.get(1, "/"));
        HttpResponse head = response("");
        HttpHeaders.setContentLength(head, 40_000);
        log.last().write(head);

        ChannelFuture written = log.last().write(new Zeros(40_000, 20_000));

        assertEquals("RST_STREAM 1 INTERNAL_ERROR", peer.lines().get(2));
        assertEquals(
                "a file region ended after 20000 of 40000 bytes",
                written.getCause().getMessage());
        assertTrue(log.take().contains("1 IOException a file region ended after 20000 of 40000 bytes"));
        assertTrue(peer.channel.isOpen());
    }

    /** A region of zeros; fewer than declared may exist. */
    private record Zeros(long count, long there) implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return count;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) throws java.io.IOException {
            int length = (int) Math.min(10_000, there - position);
            return length <= 0 ? 0 : target.write(java.nio.ByteBuffer.allocate(length));
        }

        @Override
        public void releaseExternalResources() {}
    }

    @Test
    void shouldSendInformationalAnswersBeforeTheFinalOne() {
        peer.send(peer.request(1, false, "POST", "/", "expect", "100-continue"));

        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        log.last().write(response("x"));

        assertEquals(List.of("HEADERS 1 :status=100", "HEADERS 1 :status=200", "DATA 1 'x' END"), peer.lines());
        assertTrue(log.last().isOpen(), "the request has not ended");
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200, 8", "GET, 204,", "GET, 205, 0", "GET, 304, 8"})
    void shouldSilentlyDropContentOfAnswersThatMustHaveNone(String method, int status, String length) {
        List<ChannelFuture> written = new ArrayList<>();
        log.reaction = (stream, request) -> {
            HttpResponse response = response("");
            response.setStatus(HttpResponseStatus.valueOf(status));
            if (log.channels.size() == 1) {
                response.setContent(ChannelBuffers.wrappedBuffer(new byte[8]));
                HttpHeaders.setContentLength(response, 8);
                written.add(stream.write(response));
            } else {
                response.setChunked(true);
                written.add(stream.write(response));
                written.add(stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[8]))));
                written.add(stream.write(HttpChunk.LAST_CHUNK));
            }
        };
        try (CapturedLog captured = CapturedLog.start()) {
            peer.send(peer.request(1, true, method, "/"), peer.request(3, true, method, "/"));

            String field = length == null ? "" : " content-length=" + length;
            String ofChunks = status == 205 ? field : "";
            assertEquals(
                    List.of(
                            "HEADERS 1 :status=" + status + field + " END",
                            "HEADERS 3 :status=" + status + ofChunks + " END"),
                    peer.lines());
            written.forEach(future -> assertTrue(future.isSuccess()));
            assertEquals(List.of(), captured.messages());
        }
    }

    @Test
    void shouldRefuseUnsendableMessagesAndContinue() {
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();

        ChannelFuture switching =
                stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
        ChannelFuture text = stream.write("text");
        ChannelFuture early = stream.write(HttpChunk.LAST_CHUNK);
        ChannelFuture answer = stream.write(response("x"));
        ChannelFuture second = stream.write(response("y"));

        assertEquals(
                "101 Switching Protocols is not part of HTTP/2",
                switching.getCause().getMessage());
        assertInstanceOf(IllegalArgumentException.class, text.getCause());
        assertInstanceOf(IllegalStateException.class, early.getCause());
        assertTrue(answer.isSuccess());
        assertInstanceOf(ClosedChannelException.class, second.getCause());
        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x' END"), peer.lines());
    }

    @Test
    void shouldSplitFieldsLongerThanAFrame() {
        peer.send(peer.get(1, "/"));
        HttpResponse response = response("");
        response.headers().set("X-Long", "\u00ff".repeat(40_000));

        log.last().write(response);

        List<String> lines = peer.channel.takeWritten().stream()
                .map(each -> "" + ((ChannelBuffer) each).readableBytes())
                .toList();
        assertEquals(1, lines.size());
        assertTrue(Integer.parseInt(lines.get(0)) > 40_000);
    }
}
