package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A method of a written message throws, once, at each call in turn. Nothing stays charged, and no part goes missing unnoticed. */
class Http2ThrowingMessageTest {
    private static final int MANY_STEPS = 200;

    private enum Fault {
        MEMORY,
        CODE;

        void step(Scarcity scarcity) {
            try {
                scarcity.step();
            } catch (OutOfMemoryError e) {
                if (this == CODE) {
                    throw new IllegalStateException("thrown by a test");
                }
                throw e;
            }
        }
    }

    private final StreamLog log = new StreamLog();
    private FramePeer peer;

    private static <T> T throwing(Class<T> type, T message, Fault fault, Scarcity scarcity) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            fault.step(scarcity);
            try {
                return method.invoke(message, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private static HttpResponse response(HttpResponseStatus status) {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    }

    private static HttpRequest request() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Host", "example.com");
        return request;
    }

    private Channel asked() {
        peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(peer.get(1, "/"));
        return log.last();
    }

    private Channel opened(boolean areSettingsKnown) {
        peer = areSettingsKnown ? FramePeer.server(new Http2ClientHandler()) : new FramePeer(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        peer.channel.takeWritten();
        return stream;
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveThePlaceOfAResponseToAnotherOne(Fault fault) {
        int replaced = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            Channel stream = asked();
            HttpResponse response = throwing(HttpResponse.class, response(HttpResponseStatus.OK), fault, scarcity);
            scarcity.begin();
            ChannelFuture written = stream.write(response);
            scarcity.end();
            wasReached = scarcity.wasReached();
            assertTrue(written.isDone());
            assertEquals(0, WriteAccount.waitingBytes(stream), "after " + steps + " calls");
            if (wasReached && (fault == Fault.CODE || stream.isOpen())) {
                assertTrue(stream.write(response(HttpResponseStatus.INTERNAL_SERVER_ERROR))
                        .isSuccess());
                assertTrue(((StreamChannel) stream).exchange.isDone());
                assertEquals(List.of("HEADERS 1 :status=500 END"), peer.lines());
                replaced++;
            } else if (wasReached) {
                assertEquals(Kind.WRITE_FAILED, stream.getCloseReason().kind());
            }
        }
        assertTrue(!wasReached && replaced > 0, "replaced: " + replaced);
    }

    @Test
    void shouldEndAStreamThatAChunkIsMissingFrom() {
        int refused = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            Channel stream = asked();
            HttpResponse head = response(HttpResponseStatus.OK);
            head.setChunked(true);
            stream.write(head);
            peer.lines();
            ChannelBuffer content = ChannelBuffers.wrappedBuffer(new byte[10]);
            HttpChunk chunk = throwing(HttpChunk.class, new DefaultHttpChunk(content), Fault.MEMORY, scarcity);
            ChannelFuture written = Channels.future(stream);
            written.addListener(done -> stream.write(HttpChunk.LAST_CHUNK));
            scarcity.begin();
            stream.getPipeline().sendDownstream(new DownstreamMessageEvent(stream, written, chunk, null));
            scarcity.end();
            wasReached = scarcity.wasReached();
            if (wasReached) {
                refused++;
                assertFalse(stream.isOpen());
                assertEquals(Kind.WRITE_FAILED, stream.getCloseReason().kind());
                List<String> lines = peer.lines();
                assertTrue(
                        lines.size() == 1 && lines.get(0).startsWith("RST_STREAM 1"), "after " + steps + ": " + lines);
            }
            assertEquals(0, WriteAccount.waitingBytes(stream), "after " + steps + " calls");
        }
        assertTrue(!wasReached && refused > 0, "refused: " + refused);
    }

    @Test
    void shouldResetAStreamWhoseHeadWasSentWithoutItsContent() {
        Channel stream = asked();
        Scarcity scarcity = Scarcity.later(0);
        HttpResponse response = response(HttpResponseStatus.OK);
        response.setContent(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
            @Override
            public int readerIndex() {
                if (peer.channel.isOpen() && ((StreamChannel) stream).outbound.hasEnded()) {
                    scarcity.step();
                }
                return super.readerIndex();
            }
        });
        scarcity.begin();
        ChannelFuture written = stream.write(response);
        assertTrue(written.isDone() && !written.isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200", "RST_STREAM 1 INTERNAL_ERROR"), peer.lines());
        assertFalse(stream.isOpen());
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLetAClientSendAnotherRequest(boolean areSettingsKnown) {
        int refused = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            Channel stream = opened(areSettingsKnown);
            HttpRequest upgrade = request();
            upgrade.headers().set("Upgrade", "websocket").set("Connection", "Upgrade");
            HttpRequest request = throwing(HttpRequest.class, upgrade, Fault.MEMORY, scarcity);
            scarcity.begin();
            ChannelFuture written = stream.write(request);
            scarcity.end();
            wasReached = scarcity.wasReached();
            if (wasReached) {
                refused++;
                assertTrue(written.isDone());
                assertEquals(0, WriteAccount.waitingBytes(stream), "after " + steps + " calls");
                assertTrue(stream.write(request()).isSuccess());
            }
        }
        assertTrue(!wasReached && refused > 0, "refused: " + refused);
    }

    /** As long as nothing of the first one was sent. If part of it was, the stream or its connection ends immediately. */
    @Test
    void shouldLetAClientSendAnotherRequestIfTheContentOfTheFirstThrows() {
        int refused = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            Channel stream = opened(true);
            HttpRequest request = request();
            ChannelBuffer content = ChannelBuffers.wrappedBuffer(new byte[10]);
            request.setContent(throwing(ChannelBuffer.class, content, Fault.CODE, scarcity));
            scarcity.begin();
            ChannelFuture written = stream.write(request);
            scarcity.end();
            wasReached = scarcity.wasReached();
            assertTrue(written.isDone());
            if (wasReached && ((Http2StreamChannel) stream).getStreamId() == 0) {
                refused++;
                assertEquals("thrown by a test", written.getCause().getMessage());
                assertTrue(stream.write(request()).isSuccess(), "after " + steps + " calls");
            } else {
                assertEquals(!wasReached, stream.isOpen(), "after " + steps + " calls");
            }
            assertEquals(0, WriteAccount.waitingBytes(stream), "after " + steps + " calls");
        }
        assertTrue(!wasReached && refused > 0, "refused: " + refused);
    }

    /** The connection's thread asks a second time, when the exchange counts it as the answer. */
    @Test
    void shouldLeaveThePlaceOfAResponseThatTheConnectionHasNoMemoryFor() {
        Channel stream = asked();
        Scarcity scarcity = new Scarcity(0);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            @Override
            public HttpResponseStatus getStatus() {
                if (((StreamChannel) stream).exchange.isDone()) {
                    scarcity.step();
                }
                return super.getStatus();
            }
        };
        assertInstanceOf(OutOfMemoryError.class, stream.write(response).getCause());
        assertTrue(
                stream.write(response(HttpResponseStatus.INTERNAL_SERVER_ERROR)).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=500 END"), peer.lines());
    }

    /** Its other side would take what follows for what is missing. */
    @Test
    void shouldEndATunnelThatBytesAreMissingFrom() {
        peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:443"));
        Channel stream = log.last();
        stream.write(response(HttpResponseStatus.OK));
        Scarcity scarcity = new Scarcity(0);
        ChannelFuture lost = stream.write(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
            @Override
            public int readerIndex() {
                scarcity.step();
                return super.readerIndex();
            }
        });
        assertInstanceOf(OutOfMemoryError.class, lost.getCause());
        assertFalse(stream.isOpen());
        assertEquals(List.of("HEADERS 1 :status=200", "RST_STREAM 1 INTERNAL_ERROR"), peer.lines());
    }
}
