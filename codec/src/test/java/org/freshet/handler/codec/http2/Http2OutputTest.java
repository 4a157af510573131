package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.FileRegion;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the output of a stream ends, and what becomes of messages that cannot be sent. */
class Http2OutputTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            log::pipeline, Http2Settings.defaults().toBuilder().webSocket(true).build()));
    private final FramePeer server = FramePeer.server(new Http2ClientHandler());

    private static HttpResponse response(int status) {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, new HttpResponseStatus(status, "x"));
    }

    private Channel open(FramePeer to) {
        return Http2ClientConnection.of(to.channel).open(log.pipeline()).getChannel();
    }

    // ---- a server ----

    @Test
    void shouldEndWithItsContentIfThereAreNoTrailers() {
        peer.send(peer.get(1, "/"));
        HttpResponse head = response(200);
        head.setChunked(true);
        log.last().write(head);
        log.last().write(new DefaultHttpChunkTrailer());
        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 '' END"), peer.lines());
        assertFalse(log.last().isOpen());
    }

    /** A handler that counts unanswered requests must not be misled. */
    @Test
    void shouldStillOweAnAnswerIfTheFirstOneCannotBeSent() {
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();
        Exchanges exchanges = Exchanges.of(stream.getPipeline());
        log.take();
        Throwable refused = stream.write(response(1000)).getCause();
        assertEquals(1, exchanges.unanswered());
        assertEquals(List.of("1 IllegalArgumentException " + refused.getMessage()), log.take(), "an exception event");
        assertTrue(stream.write(response(404)).isSuccess());
        assertEquals(0, exchanges.unanswered());
        assertEquals(List.of("HEADERS 1 :status=404 END"), peer.lines());
    }

    @Test
    void shouldSendOtherInformationalAnswersBeforeItSwitches() {
        peer.send(peer.request(1, false, "CONNECT", "/", ":protocol", "websocket"));
        Channel stream = log.last();
        assertTrue(stream.write(response(103)).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=103"), peer.lines());
        assertTrue(stream.write(response(101)).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200"), peer.lines());
        assertTrue(stream.isOpen());
    }

    @Test
    void shouldRefuseAProtocolOfARequestThatIsNoConnect() {
        peer.send(peer.get(1, "/", ":protocol", "websocket"));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        peer.send(peer.headers(
                3, true, ":method", "GET", ":protocol", "websocket", ":scheme", "http", ":path", "/", "host", "a"));
        assertEquals(List.of("RST_STREAM 3 PROTOCOL_ERROR"), peer.lines());
    }

    /** They would end by themselves; only tunnels are drained. */
    @Test
    void shouldNotTellOrdinaryStreamsOfADrain() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.take();
        ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
        assertEquals(List.of(), log.take());
        assertTrue(log.last().isOpen());
    }

    @Test
    void shouldNotReportTheEndOfTheInputToAHandlerThatRefusedTheTunnel() {
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
        HttpResponse refusal = response(403);
        refusal.setChunked(true);
        log.last().write(refusal);
        log.take();
        peer.send(data(1, true, ""));
        assertEquals(List.of(), log.take());
        assertTrue(log.last().write(HttpChunk.LAST_CHUNK).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=403", "DATA 1 '' END"), peer.lines());
    }

    // ---- a client ----

    @Test
    void shouldEndAConnectOnce() {
        Channel stream = open(server);
        stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "example.com:443"));
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        assertEquals(List.of("HEADERS 1 :method=CONNECT :authority=example.com:443", "DATA 1 '' END"), server.lines());
        server.send(server.headers(1, false, ":status", "403"));
        assertEquals(List.of(), server.lines());
        assertTrue(stream.isOpen());
        server.send(data(1, true, ""));
        assertFalse(stream.isOpen());
    }

    private static HttpRequest upgrade() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Host", "example.com").set("Upgrade", "websocket").set("Connection", "Upgrade");
        return request;
    }

    /** The request waits for the server's SETTINGS. */
    @Test
    void shouldFailAWaitingRequestWhoseStreamIsClosed() {
        FramePeer silent = new FramePeer(new Http2ClientHandler());
        Channel stream = open(silent);
        ChannelFuture written = stream.write(upgrade());
        assertFalse(written.isDone());
        stream.close();
        silent.channel.takeWritten();
        silent.send(setting(0x8, 1));
        assertInstanceOf(ClosedChannelException.class, written.getCause());
        assertEquals(List.of("SETTINGS ACK"), silent.lines());
    }

    @Test
    void shouldSendOtherRequestsBeforeTheServersSettings() {
        FramePeer silent = new FramePeer(new Http2ClientHandler());
        silent.channel.takeWritten();
        HttpRequest request = upgrade();
        request.headers().set("Upgrade", "h2c");
        open(silent).write(request);
        assertEquals(List.of("HEADERS 1 :method=GET :scheme=http :authority=example.com :path=/ END"), silent.lines());
    }

    // ---- content ----

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private static HttpChunk chunk(String latin1) {
        return new DefaultHttpChunk(bytes(latin1));
    }

    @Nested
    class OfAnAnswer {
        private Channel asked(String method) {
            peer.send(peer.request(1, true, method, "/"));
            peer.lines();
            return log.last();
        }

        private HttpResponse answer(long length) {
            HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            HttpHeaders.setContentLength(answer, length);
            return answer;
        }

        /** A file of 8 bytes. */
        private FileChannel zeros(Path directory) throws IOException {
            return FileChannel.open(Files.write(directory.resolve("zeros"), new byte[8]));
        }

        private FileRegion region(FileChannel file) {
            return new DefaultFileRegion(file, 0, 8, true);
        }

        private Throwable refused(ChannelFuture future) {
            assertTrue(future.isDone());
            return future.getCause();
        }

        @Test
        void shouldSendChunksOfAKnownLength() {
            Channel stream = asked("GET");
            stream.write(answer(4));
            stream.write(chunk("ab"));
            ChannelFuture all = stream.write(chunk("cd"));
            assertTrue(all.isSuccess());
            assertEquals(
                    List.of("HEADERS 1 :status=200 content-length=4", "DATA 1 'ab'", "DATA 1 'cd' END"), peer.lines());
        }

        @Test
        void shouldAcceptTheLastChunkAfterTheWholeLength() {
            peer.send(FramePeer.setting(0x4, 0));
            Channel stream = asked("GET");
            stream.write(answer(2));
            ChannelFuture content = stream.write(chunk("ab"));
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
            assertTrue(stream.write(ChannelBuffers.EMPTY_BUFFER).isSuccess());
            assertEquals(
                    "a chunk is written after the end of its message, or the message is not chunked; for content after"
                            + " a message, make it chunked or set Content-Length",
                    refused(stream.write(chunk("c"))).getMessage());
            assertEquals(
                    "content is written after the end of its message, or the message is not chunked; for content after"
                            + " a message, make it chunked or set Content-Length",
                    refused(stream.write(bytes("c"))).getMessage());
            assertEquals(
                    "a stream carries one answer, and this is a second one",
                    refused(stream.write(answer(0))).getMessage());
            assertFalse(content.isDone());
            peer.send(FramePeer.windowUpdate(1, 2));
            assertTrue(content.isSuccess());
            assertEquals(List.of("HEADERS 1 :status=200 content-length=2", "DATA 1 'ab' END"), peer.lines());
        }

        @Test
        void shouldRefuseMoreContentThanItsLength() {
            Channel stream = asked("GET");
            stream.write(answer(4));
            assertEquals(
                    "content exceeds Content-Length by 1 bytes",
                    refused(stream.write(bytes("abcde"))).getMessage());
            assertTrue(stream.write(bytes("abcd")).isSuccess());
            assertFalse(stream.isOpen());
        }

        @Test
        void shouldRefuseContentBeforeItsMessage() {
            Channel stream = asked("GET");
            assertEquals(
                    "content is written before its message; for content after a message, make it chunked or set"
                            + " Content-Length",
                    refused(stream.write(bytes("a"))).getMessage());
            assertEquals(
                    "cannot write to a stream: it accepts HttpResponse, HttpChunk, ChannelBuffer and FileRegion,"
                            + " not org.freshet.handler.codec.http.DefaultHttpRequest",
                    refused(stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/")))
                            .getMessage());
            assertTrue(stream.write(answer(0)).isSuccess());
        }

        /** Handlers must not take a part for the end that wasn't sent. */
        @Test
        void shouldStillOweTheRestOfAnAnswerIfAPartIsRefused() {
            Channel stream = asked("GET");
            Exchanges exchanges = Exchanges.of(stream.getPipeline());
            Exchange exchange = exchanges.newest();
            stream.write(answer(4));
            assertFalse(stream.write(bytes("abcde")).isSuccess());
            assertTrue(exchange.hasBegun());
            assertTrue(stream.write(bytes("abc")).isSuccess());
            assertTrue(exchange.hasBegun(), "3 of 4");
            assertTrue(stream.write(bytes("d")).isSuccess());
            assertTrue(exchange.isDone());
        }

        @Test
        void shouldStillOweTheLastChunkIfItIsRefused() {
            Channel stream = asked("GET");
            Exchange exchange = Exchanges.of(stream.getPipeline()).newest();
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.setChunked(true);
            stream.write(head);
            assertFalse(stream.write(new DefaultHttpChunkTrailer() {
                        @Override
                        public HttpHeaders trailingHeaders() {
                            throw new IllegalStateException("thrown by a test");
                        }
                    })
                    .isSuccess());
            assertTrue(exchange.hasBegun());
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
            assertTrue(exchange.isDone());
            assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 '' END"), peer.lines());
        }

        /** What a HEAD is answered with is dropped, and released. */
        @Test
        void shouldReleaseContentThatIsNotSent(@TempDir Path directory) throws IOException {
            peer.send(peer.request(1, false, "HEAD", "/"));
            peer.lines();
            Channel stream = log.last();
            FileChannel file = zeros(directory);
            stream.write(answer(8));
            assertTrue(stream.write(bytes("abcd")).isSuccess());
            assertTrue(stream.write(region(file)).isSuccess());
            assertFalse(file.isOpen());
            assertTrue(stream.write(chunk("abcd")).isSuccess());
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
            assertEquals(List.of("HEADERS 1 :status=200 content-length=8 END"), peer.lines());
        }

        @Test
        void shouldSendARegionThroughATunnel(@TempDir Path directory) throws IOException {
            peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
            Channel stream = log.last();
            stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            peer.lines();
            FileChannel file = zeros(directory);
            assertTrue(stream.write(region(file)).isSuccess());
            assertFalse(file.isOpen());
            assertTrue(stream.write(bytes("")).isSuccess());
            assertTrue(stream.write(bytes("ab")).isSuccess());
            assertEquals(
                    List.of("DATA 1 '" + "\0".repeat(8) + "'", "DATA 1 'ab'"),
                    peer.lines().stream()
                            .filter(line -> !line.equals("DATA 1 ''"))
                            .toList());
            assertTrue(stream.write(OutputShutdown.INSTANCE).isSuccess());
            assertEquals(List.of("DATA 1 '' END"), peer.lines());
        }

        @Test
        void shouldEndTheOutputOnceTheAnswerIsSent() {
            peer.send(FramePeer.setting(0x4, 0), peer.request(1, false, "POST", "/"));
            Channel stream = log.last();
            assertEquals(
                    "cannot end the output of a stream: its message is incomplete",
                    refused(stream.write(OutputShutdown.INSTANCE)).getMessage());
            HttpResponse answer = answer(2);
            answer.setContent(bytes("ab"));
            stream.write(answer);
            ChannelFuture end = stream.write(OutputShutdown.INSTANCE);
            assertFalse(end.isDone());
            peer.send(FramePeer.windowUpdate(1, 2));
            assertTrue(end.isSuccess());
        }

        /** What is dropped doesn't count: only the head is sent. */
        @Test
        void shouldEndTheOutputOfAnAnswerWithoutContentOnceItsHeadIsSent() {
            peer.send(peer.request(1, false, "HEAD", "/"));
            Channel stream = log.last();
            peer.channel.holdWrites();
            assertFalse(stream.write(answer(8)).isDone());
            assertTrue(stream.write(chunk("abcdefgh")).isSuccess());
            ChannelFuture end = stream.write(OutputShutdown.INSTANCE);
            assertFalse(end.isDone());
            peer.channel.completeWrites();
            assertTrue(end.isSuccess());
        }

        /** The stream has ended for the connection. */
        @Test
        void shouldStayCompleteWhileTheRequestIsUnread() {
            peer.send(peer.request(1, false, "POST", "/"));
            Channel stream = log.last();
            stream.setReadable(false);
            peer.send(FramePeer.data(1, true, "a"));
            stream.write(answer(0));
            assertTrue(stream.isOpen());
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
            assertTrue(stream.write(OutputShutdown.INSTANCE).isSuccess());
            stream.setReadable(true);
            assertFalse(stream.isOpen());
        }

        @Test
        void shouldNotEndTheOutputOfAStreamThatIsReset() {
            peer.send(FramePeer.setting(0x4, 0), peer.request(1, false, "POST", "/"));
            Channel stream = log.last();
            HttpResponse answer = answer(2);
            answer.setContent(bytes("ab"));
            stream.write(answer);
            ChannelFuture end = stream.write(OutputShutdown.INSTANCE);
            peer.send(FramePeer.reset(1, Http2Error.CANCEL));
            assertInstanceOf(Http2StreamException.class, end.getCause());
            assertInstanceOf(
                    ClosedChannelException.class, stream.write(bytes("ab")).getCause());
        }

        @Test
        void shouldCountARegionAsContentOfTheAnswer(@TempDir Path directory) throws IOException {
            peer.send(peer.request(1, false, "POST", "/"));
            Channel stream = log.last();
            Exchanges exchanges = Exchanges.of(stream.getPipeline());
            assertSame(exchanges.newest(), exchanges.current());
            stream.write(answer(10));
            stream.write(region(zeros(directory)));
            assertEquals(1, exchanges.unanswered());
            stream.write(bytes("ab"));
            assertEquals(0, exchanges.unanswered());
            assertNull(exchanges.current());
            assertEquals(1, exchanges.receivedRequests());
            assertFalse(exchanges.isReceivingHead() || exchanges.hasUndecodedInput() || exchanges.isRemoved());
        }
    }
}
