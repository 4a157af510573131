package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
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
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an answer, and of what handlers know of it, when a part of it is refused. */
class Http2RefusedAnswersTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    private static HttpResponse chunked() {
        HttpResponse response = response();
        response.setChunked(true);
        return response;
    }

    private static HttpResponse ofLength(String length) {
        HttpResponse response = response();
        response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, length);
        return response;
    }

    private Channel asked() {
        peer.send(peer.get(1, "/"));
        log.take();
        return log.last();
    }

    // ---- parts whose code throws ----

    /** Throws as soon as the stream's output counts as ended: while the part that ends it is being sent. */
    private record Bang(Channel stream) {
        void atTheEnd() {
            if (((StreamChannel) stream).outbound.hasEnded()) {
                throw new IllegalStateException("thrown by a test");
            }
        }

        ChannelBuffer buffer() {
            return new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
                @Override
                public int readerIndex() {
                    atTheEnd();
                    return super.readerIndex();
                }

                @Override
                public int readableBytes() {
                    atTheEnd();
                    return super.readableBytes();
                }
            };
        }

        HttpResponse whole() {
            HttpResponse response = response();
            response.setContent(buffer());
            return response;
        }

        HttpChunk lastChunk() {
            return new DefaultHttpChunkTrailer() {
                @Override
                public ChannelBuffer getContent() {
                    return buffer();
                }
            };
        }

        FileRegion region() {
            return new FileRegion() {
                @Override
                public long getPosition() {
                    return 0;
                }

                @Override
                public long getCount() {
                    return 10;
                }

                @Override
                public long transferTo(WritableByteChannel target, long position) {
                    atTheEnd();
                    return 0;
                }

                @Override
                public void releaseExternalResources() {}
            };
        }
    }

    static Stream<Arguments> answersThatThrowAtTheirEnd() {
        Function<Bang, List<Object>> whole = bang -> List.of(bang.whole());
        Function<Bang, List<Object>> buffer = bang -> List.of(ofLength("10"), bang.buffer());
        Function<Bang, List<Object>> lastChunk = bang -> List.of(chunked(), bang.lastChunk());
        Function<Bang, List<Object>> region = bang -> List.of(ofLength("10"), bang.region());
        return Stream.of(
                Arguments.of("a whole answer", whole),
                Arguments.of("a buffer", buffer),
                Arguments.of("a last chunk", lastChunk),
                Arguments.of("a file region", region));
    }

    /** The peer would wait for it until a time-out. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("answersThatThrowAtTheirEnd")
    void shouldResetAStreamWhoseLastPartThrowsWhileItIsSent(String name, Function<Bang, List<Object>> answer) {
        Channel stream = asked();
        List<ChannelFuture> written = new ArrayList<>();
        answer.apply(new Bang(stream)).forEach(part -> written.add(stream.write(part)));
        assertEquals(
                "thrown by a test",
                Await.failure(written.get(written.size() - 1), "the last part").getMessage());
        List<String> sent = peer.lines();
        assertEquals("RST_STREAM 1 INTERNAL_ERROR", sent.get(sent.size() - 1));
        assertFalse(stream.isOpen());
        assertEquals(0, WriteAccount.waitingBytes(stream));
        assertTrue(peer.channel.isOpen());
    }

    /** It's counted already, so the client would wait for the rest of the announced length. */
    @Test
    void shouldResetAStreamOneOfWhosePartsThrowsWhileItIsSent() {
        Channel stream = asked();
        stream.write(ofLength("20"));
        peer.lines();
        ChannelFuture refused = stream.write(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
            @Override
            public int readerIndex() {
                throw new IllegalStateException("thrown by a test");
            }
        });
        assertEquals("thrown by a test", refused.getCause().getMessage());
        assertEquals(List.of("RST_STREAM 1 INTERNAL_ERROR"), peer.lines());
        assertFalse(stream.isOpen());
    }

    // ---- what the exchange knows ----

    @ParameterizedTest
    @CsvSource({"POST, 200", "HEAD, 200", "CONNECT, 200", "CONNECT, 500"})
    void shouldStayWithAWholeAnswerThatIsWrittenTwice(String method, int status) {
        boolean isConnect = method.equals("CONNECT");
        peer.send(
                isConnect
                        ? peer.headers(1, false, ":method", method, ":authority", "example.com:443")
                        : peer.request(1, false, method, "/"));
        Channel stream = log.last();
        Exchange exchange = Exchanges.of(stream.getPipeline()).newest();
        HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        assertTrue(stream.write(answer).isSuccess());
        assertFalse(stream.write(answer).isSuccess());
        assertTrue(exchange.isDone());
        assertEquals(isConnect && status == 200, ((StreamChannel) stream).exchange.isUpgraded());
        assertEquals(1, peer.lines().size());
    }

    @Test
    void shouldAwaitAnotherAnswerIfOneHasMoreContentThanItDeclares() {
        Channel stream = asked();
        HttpResponse tooLong = ofLength("2");
        tooLong.setContent(ChannelBuffers.wrappedBuffer(new byte[5]));
        assertFalse(stream.write(tooLong).isSuccess());
        assertTrue(stream.write(response()).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 END"), peer.lines());
    }

    @Test
    void shouldStayWithAnAnswerThatIsWrittenTwice() {
        Channel stream = asked();
        Exchange exchange = Exchanges.of(stream.getPipeline()).newest();
        HttpResponse head = chunked();
        assertTrue(stream.write(head).isSuccess());
        assertFalse(stream.write(head).isSuccess());
        assertFalse(exchange.isAwaited());
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        assertTrue(exchange.isDone());
        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 '' END"), peer.lines());
    }

    /** The answer is decided on the connection's thread; a thread that writes has a different view of it until then. */
    @ParameterizedTest
    @ValueSource(strings = {"chunks", "length", "second answer"})
    void shouldKnowThatAnAnswerIsCompleteAlthoughAPartWasRefusedWhenItsEndWasWritten(String framing) throws Exception {
        HttpResponse head = framing.equals("length") ? ofLength("10") : chunked();
        Object wrong = framing.equals("second answer") ? response() : "no part of an answer";
        Object last = framing.equals("length") ? ChannelBuffers.wrappedBuffer(new byte[10]) : HttpChunk.LAST_CHUNK;
        List<ChannelFuture> written = new CopyOnWriteArrayList<>();
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        CompletableFuture<Exchange> exchange = new CompletableFuture<>();
        SimpleChannelUpstreamHandler writesElsewhere = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Channel stream = ctx.getChannel();
                Runnable writes = () -> Stream.of(head, wrong, last).forEach(part -> written.add(stream.write(part)));
                CompletableFuture.runAsync(writes, task -> new Thread(task).start())
                        .join();
                exchange.complete(Exchanges.of(ctx.getPipeline()).newest());
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                refusals.add(e.getCause());
            }
        };
        OneRequest.send(writesElsewhere, () -> {
            Exchange answered = exchange.join();
            Await.success(written.get(0), "the head");
            assertEquals(Await.failure(written.get(1), "the wrong part"), refusals.poll());
            Await.success(written.get(2), "the last part");
            Await.until(answered::isDone, "the end of the exchange");
        });
    }

    @Test
    void shouldAwaitAnotherEndIfTheLastChunkIsRefused() {
        Channel stream = asked();
        Exchange exchange = Exchanges.of(stream.getPipeline()).newest();
        stream.write(chunked());
        ChannelFuture refused = stream.write(new DefaultHttpChunkTrailer() {
            @Override
            public HttpHeaders trailingHeaders() {
                throw new IllegalStateException("thrown by a test");
            }
        });
        assertEquals("thrown by a test", refused.getCause().getMessage());
        assertFalse(exchange.isDone() || exchange.isAwaited());
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        assertTrue(exchange.isDone());
    }

    /** An error answer must be possible then. */
    @Test
    void shouldAwaitAnotherAnswerIfAHeadIsRefusedWhoseContentWouldFollow() {
        Channel stream = asked();
        Exchange exchange = Exchanges.of(stream.getPipeline()).newest();
        HttpResponse contradicting = chunked();
        contradicting.headers().add(HttpHeaders.Names.CONTENT_LENGTH, "5");
        contradicting.headers().add(HttpHeaders.Names.CONTENT_LENGTH, "6");
        assertFalse(stream.write(contradicting).isSuccess());
        assertTrue(exchange.isAwaited());
        assertTrue(stream.write(response()).isSuccess());
        assertTrue(exchange.isDone());
        assertEquals(List.of("HEADERS 1 :status=200 END"), peer.lines());
    }

    // ---- what waits ----

    @Test
    void shouldBeWritableAgainAfterALargeAnswerThatThrows() {
        Channel stream = asked();
        HttpResponse large = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            @Override
            public HttpResponseStatus getStatus() {
                throw new IllegalStateException("thrown by a test");
            }
        };
        large.setContent(ChannelBuffers.wrappedBuffer(new byte[1 << 20]));
        assertFalse(stream.write(large).isSuccess());
        assertTrue(stream.isWritable());
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    // ---- requests ----

    /** A HEAD that was never sent must not have the client take a cut answer for one without content. */
    @Test
    void shouldExpectContentOfTheAnswerToAGetThatTakesThePlaceOfARefusedHead() {
        FramePeer server = FramePeer.server(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(server.channel).open(log.pipeline()).getChannel();
        HttpRequest head = request(HttpMethod.HEAD);
        head.headers().set(HttpHeaders.Names.CONTENT_LENGTH, "2");
        head.setContent(ChannelBuffers.wrappedBuffer(new byte[5]));
        assertFalse(stream.write(head).isSuccess());
        assertTrue(stream.write(request(HttpMethod.GET)).isSuccess());
        server.lines();
        server.send(server.headers(1, false, ":status", "200", "content-length", "5"), data(1, true, "he"));
        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), server.lines());
    }

    private static HttpRequest request(HttpMethod method) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
        request.headers().set("Host", "example.com");
        return request;
    }
}
