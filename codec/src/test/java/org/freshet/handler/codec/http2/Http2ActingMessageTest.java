package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.FileRegion;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A method of a written message acts on its stream or connection, at each call in turn. What was sent and reported stays consistent. */
class Http2ActingMessageTest {
    private static final int MANY_STEPS = 200;
    private static final int WINDOW = 65_535;

    enum Act {
        CLOSE,
        RESET,
        WRITE,
        CLOSE_CONNECTION,
        REMOVE_HANDLER
    }

    /** What is written before the message, and the message. */
    enum Written {
        RESPONSE,
        CHUNKED_RESPONSE,
        CHUNK,
        LAST_CHUNK,
        BYTES_OF_A_REGION,
        REQUEST
    }

    private final StreamLog log = new StreamLog();
    private Http2ConnectionHandler handler;
    private FramePeer peer;
    private Channel stream;
    private Act act;
    private int left;

    private void step() {
        if (left-- == 0) {
            switch (act) {
                case CLOSE -> stream.close();
                case RESET -> ((Http2StreamChannel) stream).reset(Http2Error.CANCEL);
                case WRITE -> stream.write(other());
                case CLOSE_CONNECTION -> peer.channel.close();
                case REMOVE_HANDLER -> peer.channel.getPipeline().remove(handler);
            }
        }
    }

    private Object other() {
        return handler instanceof Http2ClientHandler ? request() : response(false);
    }

    private <T> T acting(Class<T> type, T message) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            step();
            try {
                return method.invoke(message, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private HttpHeaders headers() {
        return new ActingHeaders(this::step);
    }

    private HttpResponse response(boolean isActing) {
        HttpResponse response = new DefaultHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, isActing ? headers() : new DefaultHttpHeaders());
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[10]));
        return response;
    }

    private static HttpRequest request() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    }

    private Object message(Written written) {
        ChannelBuffer content = ChannelBuffers.wrappedBuffer(new byte[10]);
        return switch (written) {
            case RESPONSE -> acting(HttpResponse.class, response(true));
            case CHUNKED_RESPONSE -> {
                HttpResponse response = response(true);
                response.setChunked(true);
                yield acting(HttpResponse.class, response);
            }
            case CHUNK -> acting(HttpChunk.class, new DefaultHttpChunk(content));
            case LAST_CHUNK -> {
                HttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
                trailer.trailingHeaders().add("check", "1");
                yield acting(HttpChunkTrailer.class, trailer);
            }
            case BYTES_OF_A_REGION -> acting(FileRegion.class, new Zeros(10));
            case REQUEST -> acting(HttpRequest.class, request());
        };
    }

    private void open(Written written) {
        if (written == Written.REQUEST) {
            handler = new Http2ClientHandler();
            peer = FramePeer.server((Http2ClientHandler) handler);
            stream = Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
            return;
        }
        handler = new Http2ServerHandler(log::pipeline);
        peer = FramePeer.client((Http2ServerHandler) handler);
        peer.send(peer.get(1, "/"));
        stream = log.last();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        if (written == Written.CHUNK || written == Written.LAST_CHUNK) {
            head.setChunked(true);
            stream.write(head);
        } else if (written == Written.BYTES_OF_A_REGION) {
            HttpHeaders.setContentLength(head, 10);
            stream.write(head);
        }
    }

    static Stream<Arguments> actsAndMessages() {
        return Stream.of(Act.values())
                .flatMap(act -> Stream.of(Written.values()).map(written -> Arguments.of(act, written)));
    }

    @ParameterizedTest
    @MethodSource("actsAndMessages")
    void shouldStayConsistentWhateverAMessageDoes(Act act, Written written) {
        this.act = act;
        int steps = 0;
        do {
            left = -1;
            open(written);
            Object message = message(written);
            left = steps;
            ChannelFuture future = stream.write(message);
            String when = "after " + steps + " calls";
            boolean isWrite = act == Act.WRITE;
            FrameRules.check(peer.frames(), WINDOW);
            assertEquals(List.of(), peer.channel.takeCaught(), when);
            assertTrue(isWrite || future.isDone(), when);
            peer.channel.close();
            assertTrue(future.isDone(), when);
            assertFalse(stream.isOpen(), when);
            assertEquals(0, WriteAccount.waitingBytes(stream), when);
            steps++;
        } while (left < 0 && steps < MANY_STEPS);
        assertTrue(steps > 1 && steps < MANY_STEPS, steps + " steps");
    }

    /** A file of zeros. */
    private record Zeros(long getCount) implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) throws IOException {
            return target.write(ByteBuffer.allocate((int) (getCount - position)));
        }

        @Override
        public void releaseExternalResources() {}
    }
}
