package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.timeout.WriteTimeoutHandler;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How handlers written for HTTP/1.1 see HTTP/2, and the effect of their actions. */
class Http2ServerTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    // ---- requests ----

    @Test
    void shouldCreateAChannelPerRequestWithTheConnectionAsParent() {
        peer.send(peer.get(1, "/a"), peer.get(3, "/b"));

        assertEquals(
                List.of("1 open", "1 bound", "1 connected", "1 GET /a", "3 open", "3 bound", "3 connected", "3 GET /b"),
                log.take());
        Http2StreamChannel stream = (Http2StreamChannel) log.last();
        assertSame(peer.channel, stream.getParent());
        assertEquals(peer.channel.getRemoteAddress(), stream.getRemoteAddress());
        assertEquals("http", stream.getScheme());
        assertEquals(3, stream.getStreamId());
    }

    @Test
    void shouldNotifyTheConnectionOfEachStreamThatOpensAndCloses() {
        peer.channel.takeUpstream();
        peer.send(peer.get(1, "/"));
        log.last().close();

        List<Boolean> opened = peer.channel.takeUpstream().stream()
                .filter(ChildChannelStateEvent.class::isInstance)
                .map(e -> ((ChildChannelStateEvent) e).getChildChannel() == log.last())
                .toList();

        assertEquals(List.of(true, true), opened, "opened, and closed");
    }

    @Test
    void shouldCreateAnHttp11Request() {
        peer.send(peer.get(1, "/a?b", "accept", "text/html", "cookie", "a=1", "cookie", "b=2", "te", "trailers"));

        HttpRequest request = (HttpRequest) log.messages.get(0);
        assertEquals(HttpVersion.HTTP_1_1, request.getProtocolVersion());
        assertEquals("/a?b", request.getUri());
        assertEquals("example.com", HttpHeaders.getHost(request));
        assertEquals("a=1; b=2", request.headers().get("Cookie"));
        assertEquals("text/html", request.headers().get("Accept"));
        assertTrue(HttpHeaders.isKeepAlive(request));
        assertFalse(request.isChunked());
    }

    @Test
    void shouldPutShortContentOfKnownLengthIntoTheRequest() {
        peer.send(
                peer.request(1, false, "POST", "/", "content-length", "5"),
                data(1, false, "he"),
                data(1, false, "llo"));
        log.take();

        peer.send(data(1, true, ""));

        assertEquals(List.of("1 POST / 'hello'"), log.take());
    }

    @Test
    void shouldPassOnOtherContentInChunks() {
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "he"), data(1, true, "llo"));

        assertEquals(
                List.of(
                        "1 open",
                        "1 bound",
                        "1 connected",
                        "1 POST / chunked",
                        "1 chunk 'he'",
                        "1 chunk 'llo'",
                        "1 last"),
                log.take());
    }

    @Test
    void shouldPassOnTrailers() {
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "x"), peer.headers(1, true, "check", "1"));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'x'", "1 last [check=1]"),
                log.take().subList(3, 6));
    }

    @Test
    void shouldCreateChunksForShortContentWithTrailers() {
        peer.send(
                peer.request(1, false, "POST", "/", "content-length", "1"),
                data(1, false, "x"),
                peer.headers(1, true, "check", "1"));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'x'", "1 last [check=1]"),
                log.take().subList(3, 6));
    }

    /** Each request has its own tag in its target, its fields, its content and its trailer. */
    @Test
    void shouldKeepTheFieldsOfInterleavedRequestsApart() {
        Map<Channel, String> seen = new HashMap<>();
        log.reaction = (channel, message) -> seen.merge(channel, tags(message), String::concat);
        Random random = Seeds.random();
        int[] steps = new int[50];
        int opened = 0;
        for (int sent = 0; sent < 3 * steps.length; ) {
            boolean opens = opened == 0 || opened < steps.length && random.nextBoolean();
            int stream = opens ? opened++ : random.nextInt(opened);
            if (steps[stream] < 3) {
                peer.send(part(steps[stream]++, 2 * stream + 1));
                sent++;
            }
        }
        assertEquals(steps.length, seen.size());
        seen.forEach((channel, tags) -> {
            String tag = " tag-" + ((Http2StreamChannel) channel).getStreamId();
            assertEquals(tag.repeat(4), tags);
        });
    }

    private byte[] part(int step, int id) {
        String tag = "tag-" + id;
        return switch (step) {
            case 0 -> peer.request(id, false, "POST", "/" + tag, "x-tag", tag);
            case 1 -> data(id, false, tag);
            default -> peer.headers(id, true, "x-tag", tag);
        };
    }

    private static String tags(Object message) {
        if (message instanceof HttpRequest request) {
            return " " + request.getUri().substring(1) + " " + request.headers().get("x-tag");
        }
        return " "
                + (message instanceof HttpChunkTrailer trailer
                        ? trailer.trailingHeaders().get("x-tag")
                        : ((HttpChunk) message).getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldNotMakeHeadersOfTrailers() {
        List<HttpMessage> joined = new ArrayList<>();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() ->
                Channels.pipeline(new HttpChunkAggregator(5), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        joined.add((HttpMessage) e.getMessage());
                    }
                })));
        client.send(
                client.request(1, false, "POST", "/"),
                data(1, false, "x"),
                client.headers(1, true, "x-forwarded-for", "127.0.0.1"));

        assertFalse(joined.get(0).headers().contains("X-Forwarded-For"));
        assertEquals("127.0.0.1", joined.get(0).trailingHeaders().get("X-Forwarded-For"));
    }

    @Test
    void shouldRemovePadding() {
        peer.send(
                peer.request(1, false, "POST", "/"),
                frame(DATA, PADDED | END_STREAM, 1, new byte[] {3, 'a', 'b', 0, 0, 0}));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'ab'", "1 last"),
                log.take().subList(3, 6));
    }

    @Test
    void shouldReadTheSameFromEverySplit() {
        byte[][] frames = {
            peer.request(1, false, "POST", "/", "content-length", "5"),
            data(1, true, "hello"),
            peer.get(3, "/x"),
            frame(PING, 0, 0, new byte[8])
        };
        ChannelBuffer all = ChannelBuffers.wrappedBuffer(frames);
        for (int at = 0; at <= all.readableBytes(); at++) {
            StreamLog each = new StreamLog();
            FramePeer split = FramePeer.client(new Http2ServerHandler(each::pipeline));

            split.channel.receive(all.copy(0, at));
            split.channel.receive(all.copy(at, all.readableBytes() - at));

            assertEquals(8, each.take().size(), "split at " + at);
            assertEquals(List.of("PING ACK"), split.lines(), "split at " + at);
        }
    }

    @Test
    void shouldHoldContentWhileAHandlerDoesNotRead() {
        log.reaction = (channel, message) -> channel.setReadable(!(message instanceof HttpRequest));
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "a"), data(1, true, "b"), peer.get(3, "/other"));

        assertEquals(
                List.of("1 POST / chunked", "1 interest - writable", "3 open"),
                log.take().subList(3, 6));
        log.channels.get(0).setReadable(true);

        assertEquals(List.of("1 interest read writable", "1 chunk 'ab'", "1 last"), log.take());
    }

    @Test
    void shouldLetThePeerSendMoreAfterHandlersHaveReadHalfAWindow() {
        Http2Settings settings = Http2Settings.defaults().toBuilder()
                .initialWindowSize(70_000)
                .connectionWindowSize(100_000)
                .build();
        StreamLog small = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(small::pipeline, settings));
        client.send(client.request(1, false, "POST", "/"));
        small.last().setReadable(false);
        String content = "x".repeat(16_000);

        client.send(data(1, false, content), data(1, false, content), data(1, false, content), data(1, false, content));
        assertEquals(List.of("WINDOW_UPDATE 64000"), client.lines()); // the connection's
        small.last().setReadable(true);

        assertEquals(List.of("WINDOW_UPDATE 1 48000"), client.lines());
    }

    // ---- answers ----

    private HttpResponse response(String content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        return response;
    }

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

    // ---- how streams and connections end ----

    @Test
    void shouldResetAStreamThatIsClosedBeforeItsAnswer() {
        peer.send(peer.get(1, "/"));
        log.take();

        log.last().close();

        assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldCloseOnlyTheStreamWhenAnAnswerAsksForClose() {
        peer.send(peer.request(1, false, "POST", "/"), peer.get(3, "/"));

        log.channels.get(0).write(response("x")).addListener(ChannelFutureListener.CLOSE);

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x' END", "RST_STREAM 1 NO_ERROR"), peer.lines());
        assertFalse(log.channels.get(0).isOpen());
        assertTrue(log.channels.get(1).isOpen());
    }

    @Test
    void shouldFailWhatIsQueuedWhenThePeerResetsTheStream() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response("never sent"));
        log.take();

        peer.send(reset(1, Http2Error.CANCEL));

        Http2StreamException cause = assertInstanceOf(Http2StreamException.class, written.getCause());
        assertEquals(Http2Error.CANCEL, cause.error());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
    }

    @Test
    void shouldIgnoreFramesInTransitWhenAStreamIsReset() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.last().close();
        peer.lines();

        peer.send(
                data(1, false, "late"),
                peer.headers(1, true, "late", "1"),
                windowUpdate(1, 10),
                reset(1, Http2Error.CANCEL));

        assertEquals(List.of(), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldIgnoreFramesInTransitHoweverManyStreamsWereReset() {
        for (int id = 1; id < 1_001; id += 2) {
            peer.send(peer.request(id, false, "POST", "/"));
            log.last().close();
        }

        peer.send(data(1, false, "late"), data(999, false, "late"), peer.headers(3, true, "a", "b"));

        assertTrue(peer.channel.isOpen());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    @Test
    void shouldEndAllStreamsWithTheConnection() {
        peer.send(setting(0x4, 0), peer.get(1, "/"), peer.get(3, "/"));
        ChannelFuture written = log.last().write(response("x"));

        peer.channel.close();

        assertInstanceOf(ClosedChannelException.class, written.getCause());
        log.channels.forEach(stream -> assertFalse(stream.isOpen()));
        assertTrue(log.take().containsAll(List.of("1 closed", "3 closed")));
    }

    @Test
    void shouldSendGoAwayBeforeTheConnectionIsClosed() {
        peer.send(peer.get(1, "/"));

        peer.channel.close();

        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
    }

    @Test
    void shouldCloseWhenTheLastStreamHasEndedAfterDraining() {
        peer.send(peer.get(1, "/"));

        peer.channel.getPipeline().get(Http2ServerHandler.class).drain();
        peer.send(peer.get(3, "/"));
        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
        assertTrue(peer.channel.isOpen());
        log.channels.get(0).write(response("x"));

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x' END"), peer.lines());
        assertFalse(peer.channel.isOpen());
    }

    // ---- flow control ----

    @Test
    void shouldSendNoMoreThanTheWindowsLetPass() {
        peer.send(setting(0x4, 5), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response("hello world"));

        assertEquals(List.of("SETTINGS ACK", "HEADERS 1 :status=200", "DATA 1 'hello'"), peer.lines());
        assertFalse(written.isDone());
        peer.send(windowUpdate(1, 3));
        assertEquals(List.of("DATA 1 ' wo'"), peer.lines());
        peer.send(setting(0x4, 100));

        assertEquals(List.of("SETTINGS ACK", "DATA 1 'rld' END"), peer.lines());
        assertTrue(written.isSuccess());
    }

    @Test
    void shouldWaitForTheConnectionsWindow() {
        peer.send(setting(0x4, 1_000_000), peer.get(1, "/"));
        log.last().write(response("x".repeat(70_000)));
        peer.lines();

        peer.send(windowUpdate(0, 4465));

        assertEquals(List.of("DATA 1 4465 END"), peer.lines());
    }

    @Test
    void shouldBecomeUnwritableWhileMuchWaits() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        HttpResponse head = response("");
        head.setChunked(true);
        Channel stream = log.last();
        stream.write(head);
        log.take();

        stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[70_000])));
        assertEquals(List.of("1 interest read unwritable"), log.take());
        assertFalse(stream.isWritable());
        peer.send(windowUpdate(1, 60_000));

        assertEquals(List.of("1 interest read writable"), log.take());
        assertTrue(stream.isWritable());
    }

    /**
     * Each message counts until it was sent, which is later than when its octets are charged to the connection instead.
     */
    @Test
    void shouldBecomeWritableWhenManySmallMessagesWereSent() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        HttpResponse head = response("");
        head.setChunked(true);
        Channel stream = log.last();
        stream.write(head);
        while (stream.isWritable()) {
            stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1])));
        }
        peer.channel.holdWrites();
        peer.send(windowUpdate(1, 60_000));
        log.take();

        peer.channel.completeWrites();

        assertEquals(List.of("1 interest read writable"), log.take());
        assertTrue(stream.isWritable());
    }

    @Test
    void shouldBeUnwritableWhileTheConnectionIs() {
        peer.send(peer.get(1, "/"));
        log.take();

        peer.channel.turnWritable(false);
        peer.channel.turnWritable(true);

        assertEquals(List.of("1 interest read unwritable", "1 interest read writable"), log.take());
    }

    @Test
    void shouldSendTheMostUrgentFirstAndInterleaveIncrementalOnes() {
        peer.send(
                setting(0x4, 1_000_000),
                windowUpdate(0, 1_000_000),
                peer.get(1, "/low", "priority", "u=5"),
                peer.get(3, "/inc", "priority", "i"),
                peer.get(5, "/inc", "priority", "u=3, i"),
                peer.get(7, "/high", "priority", "u=0"));
        peer.lines();
        peer.channel.turnWritable(false);
        log.channels.forEach(stream -> stream.write(response("x".repeat(20_000))));
        peer.lines();

        peer.channel.turnWritable(true);

        assertEquals(
                List.of(
                        "DATA 7 16384",
                        "DATA 7 3616 END",
                        "DATA 3 16384",
                        "DATA 5 16384",
                        "DATA 3 3616 END",
                        "DATA 5 3616 END",
                        "DATA 1 4449", // the batch is full
                        "DATA 1 15551 END"),
                peer.lines());
    }

    /** A short answer must not wait for the end of a long one that began before it. */
    @Test
    void shouldInterleaveAnswersToRequestsWithoutAPriority() {
        peer.send(setting(0x4, 1_000_000), windowUpdate(0, 1_000_000), peer.get(1, "/long"), peer.get(3, "/short"));
        peer.lines();
        peer.channel.turnWritable(false);
        log.channels.get(0).write(response("x".repeat(100_000)));
        log.channels.get(1).write(response("y".repeat(20_000)));
        peer.lines();

        peer.channel.turnWritable(true);

        assertEquals(
                List.of("DATA 1 16384", "DATA 3 16384", "DATA 1 16384", "DATA 3 3616 END"),
                peer.lines().subList(0, 4));
    }

    /** Handlers that limit how slowly a client may read need to know how much it reads. */
    @Test
    void shouldNotifyHandlersOfEachPartSent() {
        List<Long> written = new ArrayList<>();
        FramePeer client =
                FramePeer.client(new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                    @Override
                    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                        written.add(e.getWrittenAmount());
                    }

                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        ctx.getChannel().write(response("x".repeat(50_000)));
                    }
                })));
        client.send(setting(0x4, 20_000), client.get(1, "/"));
        assertEquals(List.of(20_000L), written);

        client.send(windowUpdate(1, 20_000));
        assertEquals(List.of(20_000L, 20_000L), written);
        client.send(windowUpdate(1, 20_000));
        assertEquals(List.of(20_000L, 20_000L, 10_000L), written);
    }

    @Test
    void shouldEndTheStreamOnceHoweverManyEmptyChunksThereAre() {
        peer.send(peer.get(1, "/"));
        peer.channel.turnWritable(false);
        Channel stream = log.last();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        stream.write(response);
        stream.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("abc", ISO_8859_1)));
        stream.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("d", ISO_8859_1)));
        stream.write(HttpChunk.LAST_CHUNK);
        peer.channel.turnWritable(true);

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'abcd' END"), peer.lines());
    }

    /** A peer that opens no window and resets its streams must not cause them to be retained. */
    @Test
    void shouldForgetStreamsThatWaitedForTheConnectionsWindow() {
        peer.send(setting(0x4, 1_000_000), peer.get(1, "/"));
        log.last().write(response("x".repeat(70_000))); // more than the connection's window
        List<WeakReference<Channel>> ended = new ArrayList<>();
        for (int id = 3; id < 203; id += 2) {
            peer.send(peer.get(id, "/"));
            log.last().write(response("y"));
            ended.add(new WeakReference<>(log.last()));
            peer.send(reset(id, Http2Error.CANCEL));
        }
        log.channels.subList(1, log.channels.size()).clear();
        log.messages.clear();
        peer.channel.takeUpstream();

        Await.until(
                () -> {
                    System.gc();
                    return ended.stream().allMatch(reference -> reference.get() == null);
                },
                "nothing that refers to the ended streams");
    }

    /** The file belongs to the channel from the write on, whether it is sent or not. */
    @ParameterizedTest
    @CsvSource({"HEAD, false", "GET, true"})
    void shouldReleaseAnUnsentRegion(String method, boolean closesFirst, @TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        FileChannel channel = FileChannel.open(file);
        peer.send(peer.request(1, true, method, "/"));
        Channel stream = log.last();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 100);
        stream.write(response);
        if (closesFirst) {
            stream.close();
        }

        stream.write(new DefaultFileRegion(channel, 0, 100, true));

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldReleaseARegionThatItCannotSend(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        FileChannel channel = FileChannel.open(file);
        peer.send(peer.get(1, "/"));

        assertFalse(
                log.last().write(new DefaultFileRegion(channel, 0, 100, true)).isSuccess());

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFillBatchesThatTheTransportSendsTogether() {
        peer.send(setting(0x4, 1_000_000), windowUpdate(0, 1_000_000), peer.get(1, "/"));
        peer.lines();
        peer.channel.holdWrites();
        log.last().write(response("x".repeat(200_000)));

        List<Integer> batches = new ArrayList<>();
        while (peer.channel.unansweredWrites() > 0) {
            peer.channel.takeWritten().forEach(batch -> batches.add(((ChannelBuffer) batch).readableBytes()));
            peer.channel.completeWrites();
        }

        int full = DataSender.FORMATTED_AHEAD;
        int octets = 200_000 + 14 * 9 + 1; // frames HEADERS and DATA, and the field of the head
        assertEquals(List.of(full, full, full, octets - 3 * full), batches);
    }

    // ---- the connection's frames ----

    @Test
    void shouldAnswerPingAndSettings() {
        peer.send(
                frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}),
                setting(0x3, 7),
                frame(PING, ACK, 0, new byte[8]));

        assertEquals(List.of("PING ACK", "SETTINGS ACK"), peer.lines());
    }

    /** CVE-2026-50560. */
    @Test
    void shouldAnswerAPeerThatSaysItTakesNoFields() {
        peer.send(setting(0x6, 1), peer.get(1, "/"));
        peer.lines();

        assertTrue(log.last().write(response("hi")).isSuccess());

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'hi' END"), peer.lines());
    }

    @Test
    void shouldRefuseContentThatIsTooLongToJoinOnItsStreamAlone() {
        StreamLog joined = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() -> {
            ChannelPipeline pipeline = joined.pipeline();
            pipeline.addFirst("aggregator", new HttpChunkAggregator(5));
            return pipeline;
        }));
        client.send(
                client.request(1, false, "POST", "/long"),
                data(1, false, "123456"),
                client.request(3, true, "GET", "/b"));

        assertEquals(
                List.of("1 TooLongHttpMessageException the content is longer than 5 bytes", "3 GET /b"),
                joined.take().stream()
                        .filter(line -> line.contains("Exception") || line.contains("/"))
                        .toList());
        assertTrue(client.channel.isOpen());
    }

    /** CVE-2026-49975: what an application adds so that a peer cannot hold an answer forever. */
    @Test
    void shouldResetAStreamWhoseAnswerIsNotReadInTime() {
        FakeTimer timer = new FakeTimer();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() ->
                Channels.pipeline(new WriteTimeoutHandler(timer, 30), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getChannel().write(response("hello"));
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        e.getChannel().close();
                    }
                })));
        client.send(setting(0x4, 0), client.get(1, "/"));
        client.lines();
        timer.advanceMillis(29_999);
        assertEquals(List.of(), client.lines());

        timer.advanceMillis(1);

        assertEquals(List.of("RST_STREAM 1 CANCEL"), client.lines());
    }

    @Test
    void shouldIgnoreFramesThatItDoesNotKnow() {
        peer.send(frame(0x0b, 0xff, 1, new byte[100]), frame(0xff, 0, 0), frame(PING, 0, 0, new byte[8]));

        assertEquals(List.of("PING ACK"), peer.lines());
    }

    @Test
    void shouldKeepSeparateAttachmentsPerStream() {
        peer.send(peer.get(1, "/"), peer.get(3, "/"));

        log.channels.get(0).setAttachment("first");

        assertNotNull(log.channels.get(0).getAttachment());
        assertEquals(null, log.channels.get(1).getAttachment());
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

    // ---- draining ----

    private static final byte[] DRAIN_PING_ACK = frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'});

    private ChannelDrain drainServer() {
        return ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    @Test
    void shouldServeStreamsOfAPeerThatDoesNotKnowOfTheDrainYet() {
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drainServer();
        List<String> announced = peer.lines();
        assertEquals("GOAWAY 2147483647 NO_ERROR", announced.get(0));
        assertEquals(2, announced.size());
        assertTrue(announced.get(1).startsWith("PING"), announced.get(1));

        peer.send(peer.get(3, "/"), DRAIN_PING_ACK, peer.get(5, "/"));
        assertEquals(List.of("GOAWAY 3 NO_ERROR"), peer.lines());
        log.channels.get(0).write(response("x"));
        assertTrue(peer.channel.isOpen());
        log.channels.get(1).write(response("y"));

        assertFalse(peer.channel.isOpen());
        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        assertTrue(peer.lines().contains("DATA 3 'y' END"));
    }

    @Test
    void shouldCloseConnectionWithoutStreamsOnceThePeerKnowsOfTheDrain() {
        ChannelDrain drain = drainServer();
        assertTrue(peer.channel.isOpen());

        peer.send(DRAIN_PING_ACK);

        assertFalse(peer.channel.isOpen());
        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
    }

    @Test
    void shouldNotReportAPeerAsLostThatClosesWithoutAStream() {
        ChannelDrain drain = drainServer();

        peer.channel.close();

        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
    }
}
