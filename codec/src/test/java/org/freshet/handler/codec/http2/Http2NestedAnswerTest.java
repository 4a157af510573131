package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The headers of an answer write another answer while they are read, at each call in turn. That one is sent, and the outer one fails. */
class Http2NestedAnswerTest {
    private static final int MANY_STEPS = 100;
    private static final int RST_STREAM = 3;

    enum Outer {
        WHOLE,
        CHUNKED,
        INFORMATIONAL,
        TUNNEL
    }

    private final StreamLog log = new StreamLog();
    private FramePeer peer;
    private Channel stream;
    private Supplier<Object> nested;
    private ChannelFuture inner;
    private int left;

    private void step() {
        if (left-- == 0) {
            inner = stream.write(nested.get());
        }
    }

    private void open(String method) {
        peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(
                method.equals("CONNECT")
                        ? peer.headers(1, false, ":method", "CONNECT", ":authority", "a:1")
                        : peer.request(1, false, method, "/"));
        stream = log.last();
        peer.frames();
    }

    private HttpHeaders headers() {
        HttpHeaders headers = new ActingHeaders(this::step);
        headers.add("outer", "1");
        return headers;
    }

    private HttpResponse outer(Outer kind) {
        HttpResponseStatus status = kind == Outer.INFORMATIONAL ? HttpResponseStatus.PROCESSING : HttpResponseStatus.OK;
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers());
        response.setChunked(kind == Outer.CHUNKED);
        return response;
    }

    private static HttpResponse whole() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        return response;
    }

    private static HttpResponse chunked() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
        response.setChunked(true);
        return response;
    }

    private static HttpResponse ofLength() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
        HttpHeaders.setContentLength(response, 10);
        return response;
    }

    /** Writes the outer answer; the other one at its call number {@code steps}. Returns whether there were that many. */
    private boolean write(Outer kind, int steps) {
        left = -1;
        open(kind == Outer.TUNNEL ? "CONNECT" : "POST");
        HttpResponse outer = outer(kind);
        inner = null;
        left = steps;
        ChannelFuture future = stream.write(outer);
        boolean wasReached = inner != null;
        left = -1;
        if (wasReached) {
            assertInstanceOf(IllegalStateException.class, future.getCause());
        }
        return wasReached;
    }

    private List<Integer> sentTypes() {
        List<Integer> types = new ArrayList<>();
        for (FramePeer.Frame frame : peer.frames()) {
            assertNotEquals(RST_STREAM, frame.type());
            types.add(frame.type());
        }
        return types;
    }

    private void widen() {
        peer.send(FramePeer.windowUpdate(0, 100_000), FramePeer.windowUpdate(1, 100_000));
    }

    private void checkEach(Outer kind, Runnable check) {
        int steps = 0;
        for (; steps < MANY_STEPS && write(kind, steps); steps++) {
            check.run();
            assertEquals(0, WriteAccount.waitingBytes(stream));
            peer.channel.close();
        }
        assertTrue(steps > 1 && steps < MANY_STEPS, steps + " steps");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendTheRestOfTheInnerAnswer(Outer kind) {
        nested = Http2NestedAnswerTest::whole;
        checkEach(kind, () -> {
            assertFalse(inner.isDone());
            sentTypes();
            widen();
            assertTrue(inner.isSuccess());
            assertFalse(sentTypes().isEmpty());
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheChunksOfTheInnerAnswer(Outer kind) {
        nested = Http2NestedAnswerTest::chunked;
        checkEach(kind, () -> {
            assertTrue(inner.isSuccess());
            assertTrue(stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[10])))
                    .isSuccess());
            assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
            assertEquals(1, sentTypes().get(0));
        });
    }

    /** The outer one's length is unknown, or another. */
    @ParameterizedTest
    @EnumSource
    void shouldCountTheBytesOfTheInnerAnswer(Outer kind) {
        nested = Http2NestedAnswerTest::ofLength;
        checkEach(kind, () -> {
            assertTrue(stream.write(ChannelBuffers.wrappedBuffer(new byte[4])).isSuccess());
            ChannelFuture tooMuch = stream.write(ChannelBuffers.wrappedBuffer(new byte[7]));
            assertInstanceOf(IllegalStateException.class, tooMuch.getCause());
            assertTrue(stream.write(ChannelBuffers.wrappedBuffer(new byte[6])).isSuccess());
            assertEquals(List.of(1, 0, 0), sentTypes());
        });
    }

    /** An interim answer is no answer: both are sent. */
    @Test
    void shouldSendTheAnswerAfterANestedInterimOne() {
        open("POST");
        nested = () -> new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.PROCESSING);
        HttpResponse outer = outer(Outer.WHOLE);
        left = 1;
        assertTrue(stream.write(outer).isSuccess());
        assertTrue(inner.isSuccess());
        assertEquals(List.of(1, 1), sentTypes());
    }
}
