package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.HttpTestServer.assertRefused;
import static org.freshet.handler.codec.http.WrittenParts.bytes;
import static org.freshet.handler.codec.http.WrittenParts.chunk;
import static org.freshet.handler.codec.http.WrittenParts.head;
import static org.freshet.handler.codec.http.WrittenParts.inChunks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.http.WrittenParts.Input;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an answer ends, and that nothing takes the place of one that can't be completed. */
class AnswerEndsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final HttpServerCodec codec = new HttpServerCodec();
    private final HttpTestServer server = new HttpTestServer(codec);
    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void releaseLog() {
        log.close();
    }

    private ChannelFuture write(Object message) {
        return server.channel.write(message);
    }

    // ---- the end ----

    @ParameterizedTest
    @ValueSource(strings = {"whole", "switched", "version 1.0", "last chunk with content"})
    void shouldEndTheExchange(String how) {
        String upgrade = "Upgrade: x\r\nConnection: upgrade\r\n";
        switch (how) {
            case "whole" -> {
                server.receive(GET);
                HttpResponse response = head(200, -1);
                response.setContent(bytes("abc"));
                write(response);
            }
            case "switched" -> {
                server.receive("GET / HTTP/1.1\r\nHost: a\r\n" + upgrade + "\r\n");
                write(head(101, -1));
            }
            case "version 1.0" -> {
                server.receive("GET / HTTP/1.0\r\n\r\n");
                server.answerInChunks(head(200, -1), "a");
            }
            default -> {
                server.receive(GET);
                write(head(200, 4));
                write(chunk("ab"));
                write(new DefaultHttpChunk(bytes("cd")) {
                    @Override
                    public boolean isLast() {
                        return true;
                    }
                });
                assertTrue(server.channel.isOpen());
            }
        }
        assertEquals(0, codec.exchanges().unanswered());
        assertTrue(codec.exchanges().newest().isDone());
    }

    @Test
    void shouldRefuseAChunkAfterAWholeAnswer() {
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "ok");
        assertRefused("without a response", write(chunk("x")));
        assertTrue(server.channel.isOpen());
    }

    /** Its content ends with the connection, whatever it looks like. */
    @Test
    void shouldNotEndContentWithoutADeclaredLength() {
        server.receive(GET);
        write(head(200, -1));
        write(bytes("0\r\n\r\n"));
        write(bytes("more"));
        assertTrue(server.takeSent().endsWith("\r\n\r\n0\r\n\r\nmore"));
        assertEquals(1, codec.exchanges().unanswered());
        assertRefused("before the previous one was complete", write(head(500, 0)));
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldNoteWhyAnAnswerCouldNotBeCompleted() {
        server.receive(GET);
        Exchange exchange = codec.exchanges().current();
        write(head(200, 1));
        write(bytes("ab"));
        String reason = server.channel.getCloseReason().toString();
        assertTrue(reason.contains("1 are left"), reason);
        assertTrue(exchange.isDone());
    }

    // ---- what the head declares ----

    @Test
    void shouldSendAResponseWithoutContentAsItIs() {
        server.receive(HEAD);
        write(head(200, -1));
        assertEquals("HTTP/1.1 200 OK\r\n\r\n", server.takeSent());
    }

    @Test
    void shouldDeclareNoChunksWhereThereAreNone() {
        server.receive(GET);
        HttpResponse reset = head(205, -1);
        reset.headers().set("Transfer-Encoding", "chunked");
        write(reset);
        assertEquals("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", server.takeSent());

        HttpTestServer old = new HttpTestServer(new HttpServerCodec());
        old.receive("GET / HTTP/1.0\r\n\r\n");
        HttpResponse response = head(200, -1);
        response.headers().set("Transfer-Encoding", "chunked");
        old.channel.write(response);
        assertEquals("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", old.takeSent());
        assertTrue(response.isChunked(), "its content follows");
    }

    // ---- what is dropped ----

    @Test
    void shouldCountTheContentThatIsDroppedWithTheHead() {
        server.receive(HEAD + GET);
        HttpResponse response = head(200, 5);
        response.setContent(bytes("ab"));
        write(response);
        server.takeSent();
        write(bytes("cde"));
        assertEquals("", server.takeSent());
        write(bytes(OK));
        assertEquals(OK, server.takeSent());
    }

    @Test
    void shouldNotCountDroppedContentOfUnknownSize() {
        server.receive(HEAD + GET);
        write(head(200, 3));
        server.takeSent();
        write(new Input());
        write(chunk("abc"));
        write(bytes(OK));
        assertEquals(OK, server.takeSent());
    }

    @Test
    void shouldCloseIfTheNextAnswerMayBeTheRestOfDroppedContent() {
        server.receive(HEAD + GET);
        write(head(200, 100));
        server.takeSent();
        write(chunk("abc"));
        assertRefused("may be content", write(bytes(OK)));
        assertEquals("", server.takeSent());
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldDropWhatLooksLikeAnAnswerIfNoRequestWaits() {
        server.receive(HEAD);
        write(head(200, 100));
        server.takeSent();
        assertTrue(write(bytes(OK)).isSuccess());
        assertEquals("", server.takeSent());
        Object other = new Object();
        write(other);
        assertEquals(List.of(other), server.channel.takeWritten(), "it isn't content");
    }

    @Test
    void shouldPassBytesBeforeTheFirstRequestAndEmptyBuffers() {
        write(bytes("banner"));
        assertEquals("banner", server.takeSent());
        server.receive(GET);
        write(ChannelBuffers.EMPTY_BUFFER);
        assertSame(ChannelBuffers.EMPTY_BUFFER, server.channel.takeWritten().get(0), "a place in the order");
        assertEquals(1, codec.exchanges().unanswered());
    }

    // ---- parts that are refused ----

    private static void fill(MemoryChannel channel) {
        channel.holdWrites().turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
    }

    private static void drain(MemoryChannel channel) {
        channel.limit(0).turnWritable(true);
    }

    @Test
    void shouldSendNothingThatTheListenerOfARefusedChunkWrites() {
        server.receive(GET);
        write(inChunks(200));
        server.takeSent();
        fill(server.channel);
        List<ChannelFuture> end = new ArrayList<>();
        List<Boolean> open = new ArrayList<>();
        ChannelFuture refused = Channels.future(server.channel);
        refused.addListener(done -> {
            drain(server.channel);
            end.add(write(HttpChunk.LAST_CHUNK));
            open.add(server.channel.isOpen());
        });
        server.channel
                .getPipeline()
                .sendDownstream(new DownstreamMessageEvent(server.channel, refused, chunk("a"), null));
        assertTrue(end.get(0).isDone());
        assertFalse(end.get(0).isSuccess());
        assertEquals(List.of(false), open);
        assertEquals("", server.takeSent());
    }

    /** Such as an error that is sent before the first request. */
    @Test
    void shouldCloseIfAnAnswerThatNoRequestWaitsForIsRefused() {
        fill(server.channel);
        assertInstanceOf(WriteOverflowException.class, write(head(503, 0)).getCause());
        drain(server.channel);
        assertEquals("", server.takeSent());
        assertFalse(server.channel.isOpen());
    }

    /** It would have been the last of the connection. */
    @Test
    void shouldCloseIfMemoryRunsOutForAnAnswerThatNoRequestWaitsFor() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SERVICE_UNAVAILABLE) {
            @Override
            public ChannelBuffer getContent() {
                throw new OutOfMemoryError("simulated");
            }
        };
        assertInstanceOf(OutOfMemoryError.class, write(response).getCause());
        assertEquals("", server.takeSent());
        assertFalse(server.channel.isOpen());
        assertTrue(server.channel.takeCaught().stream().allMatch(OutOfMemoryError.class::isInstance));
    }

    @Test
    void shouldFailOnlyTheExchangeWhoseAnswerIsRefused() {
        HttpServerCodec pipelining = new HttpServerCodec(
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(2).build());
        HttpTestServer two = new HttpTestServer(pipelining);
        two.receive(GET.repeat(2));
        Exchange first = pipelining.exchanges().current();
        Exchange second = pipelining.exchanges().newest();
        fill(two.channel);
        assertFalse(two.channel.write(head(200, 0)).isSuccess());
        assertTrue(first.isDone());
        assertFalse(second.isDone());
        assertFalse(two.channel.isOpen());
    }

    /** A handler below, such as TLS, may take its time to close. */
    @Test
    void shouldSendNothingAfterARefusedChunkUntilTheChannelIsClosed() {
        HttpServerCodec own = new HttpServerCodec();
        HttpTestServer slow = new HttpTestServer(
                new SimpleChannelHandler() {
                    @Override
                    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {}
                },
                own);
        slow.receive(GET);
        Exchange exchange = own.exchanges().current();
        slow.channel.write(inChunks(200));
        slow.takeSent();
        fill(slow.channel);
        assertFalse(slow.channel.write(chunk("a")).isSuccess());
        assertTrue(exchange.isDone());
        drain(slow.channel);
        Input input = new Input();
        for (Object next : List.of(chunk("b"), HttpChunk.LAST_CHUNK, bytes(OK), head(200, 0), input)) {
            assertFalse(slow.channel.write(next).isSuccess());
        }
        assertTrue(input.isClosed);
        assertEquals("", slow.takeSent());
    }

    /** Part of it may have been sent. */
    @Test
    void shouldCloseIfMemoryRunsOutBelowAWholeAnswer() {
        HttpTestServer scarce = new HttpTestServer(
                new SimpleChannelHandler() {
                    @Override
                    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                        throw new OutOfMemoryError("simulated");
                    }
                },
                new HttpServerCodec());
        scarce.receive(GET);
        assertInstanceOf(
                OutOfMemoryError.class, scarce.channel.write(head(200, 0)).getCause());
        assertFalse(scarce.channel.isOpen());
    }
}
