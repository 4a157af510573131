package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may write before it is connected, and when memory or room for output runs out. */
class RequestPartsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void releaseLog() {
        log.close();
    }

    private enum Client {
        CODEC,
        ENCODER;

        ChannelHandler handler() {
            return this == CODEC ? new HttpClientCodec(HttpLimits.defaults(), true) : new HttpRequestEncoder();
        }
    }

    private static HttpRequest get() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    }

    private static String sent(MemoryChannel channel) {
        StringBuilder text = new StringBuilder();
        channel.takeWritten().forEach(part -> text.append(((ChannelBuffer) part).toString(ISO_8859_1)));
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendARequestThatIsWrittenBeforeTheConnection(Client client) {
        MemoryChannel channel = MemoryChannel.open(client.handler()).holdWrites();
        List<Long> progress = new ArrayList<>();
        ChannelFuture written = channel.write(get());
        written.addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture future, long amount, long current, long total) {
                progress.addAll(List.of(amount, current, total));
            }

            @Override
            public void operationComplete(ChannelFuture future) {}
        });
        ChannelFuture passed = channel.takeDownstream().get(0).getFuture();
        assertTrue(passed.setProgress(3, 5, 7));
        assertEquals(List.of(3L, 5L, 7L), progress);
        assertFalse(written.isDone());
        channel.completeWrites();
        assertFalse(passed.setProgress(1, 6, 7), "the write is over");
        assertTrue(written.isSuccess());
        assertEquals("GET / HTTP/1.1\r\n\r\n", sent(channel));
        assertTrue(channel.isOpen());
    }

    /** Nothing of it was sent, so others may follow. */
    @ParameterizedTest
    @EnumSource
    void shouldSendTheRequestAfterOneThatIsRefused(Client client) {
        MemoryChannel channel = MemoryChannel.connected(client.handler());
        channel.holdWrites().turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
        assertInstanceOf(WriteOverflowException.class, channel.write(get()).getCause());
        channel.limit(0).turnWritable(true);
        channel.write(get());
        channel.completeWrites();
        assertEquals("GET / HTTP/1.1\r\n\r\n", sent(channel));
        assertTrue(channel.isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIfMemoryRunsOutWithinARequest(Client client) {
        MemoryChannel channel = MemoryChannel.connected(client.handler());
        HttpRequest request = get();
        request.setChunked(true);
        channel.write(request);
        HttpChunk chunk = new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1])) {
            @Override
            public ChannelBuffer getContent() {
                throw new OutOfMemoryError("simulated");
            }
        };
        assertInstanceOf(OutOfMemoryError.class, channel.write(chunk).getCause());
        assertFalse(channel.isOpen());
    }

    /** After an IOException, the transport closes the channel. */
    @ParameterizedTest
    @EnumSource
    void shouldCloseIfARequestFailsForAReasonThatIsNoRefusal(Client client) {
        for (Exception cause : List.of(new IllegalStateException("below"), new IOException("below"))) {
            MemoryChannel channel = MemoryChannel.connected(
                    new SimpleChannelHandler() {
                        @Override
                        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                            e.getFuture().setFailure(cause);
                        }
                    },
                    client.handler());
            assertSame(cause, channel.write(get()).getCause());
            assertEquals(cause instanceof IOException, channel.isOpen());
        }
    }

    /** Their end isn't recognized, so the last chunk may follow. */
    @ParameterizedTest
    @EnumSource
    void shouldAcceptTheLastChunkAfterChunksEncodedByTheApplication(Client client) {
        MemoryChannel channel = MemoryChannel.connected(client.handler());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.setChunked(true);
        channel.write(request);
        channel.write(ChannelBuffers.copiedBuffer("2\r\nab\r\n", ISO_8859_1));
        channel.write(HttpChunk.LAST_CHUNK);
        channel.write(get());
        assertTrue(sent(channel).endsWith("2\r\nab\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"));
        if (client == Client.CODEC) {
            channel.receive(ChannelBuffers.copiedBuffer("HTTP/1.1 204 x\r\n\r\nHTTP/1.1 204 x\r\n\r\n", ISO_8859_1));
            channel.close();
            assertEquals(List.of(), channel.takeCaught(), "two requests, two answers");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassOnWhatIsNotHttp(Client client) {
        MemoryChannel channel = MemoryChannel.connected(client.handler());
        Object message = new Object();
        channel.write(message);
        assertEquals(List.of(message), channel.takeWritten());
    }

    @Test
    void shouldSendNothingAfterARequestForWhichMemoryRanOut() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/") {
            @Override
            public ChannelBuffer getContent() {
                throw new OutOfMemoryError("simulated");
            }
        };
        assertInstanceOf(OutOfMemoryError.class, channel.write(request).getCause());
        assertFalse(channel.write(get()).isSuccess());
        assertEquals("", sent(channel));
        assertFalse(channel.isOpen());
    }

    private static HttpRequest head() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/");
    }

    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream().map(Decoded::describe).toList();
    }

    /** The transport refuses the first of three before there is a connection; the others wait for it. */
    @Test
    void shouldForgetOnlyTheEarlyRequestThatIsRefused() {
        MemoryChannel channel = MemoryChannel.open(new HttpClientCodec()).holdWrites();
        List.of(get(), head(), get()).forEach(channel::write);
        channel.takeDownstream().get(0).getFuture().setFailure(new NotYetConnectedException());
        channel.completeWrites();
        channel.connect(new InetSocketAddress(1));
        channel.receive(ChannelBuffers.copiedBuffer(OK + OK + "ab", ISO_8859_1));
        assertEquals(
                List.of("200 OK HTTP/1.1 Content-Length:2 <>", "200 OK HTTP/1.1 Content-Length:2 <ab>"),
                received(channel));
        assertEquals(List.of(), channel.takeCaught());
    }

    /** By a server that answers without being asked. */
    @Test
    void shouldMissTheAnswerToTheNextRequestAlthoughARefusedOneWasAnswered() {
        MemoryChannel channel = MemoryChannel.open(Client.CODEC.handler()).holdWrites();
        ChannelFuture refused = channel.write(get());
        channel.connect(new InetSocketAddress(1));
        channel.receive(ChannelBuffers.copiedBuffer(OK + "ab", ISO_8859_1));
        channel.failWrites(new NotYetConnectedException());
        assertInstanceOf(NotYetConnectedException.class, refused.getCause());
        assertEquals(List.of(), log.messages());
        channel.write(get());
        channel.close();
        assertInstanceOf(
                PrematureChannelClosureException.class, channel.takeCaught().get(0));
    }

    /** A chunk of a user's class may have content and be the last. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void shouldCountTheContentOfTheLastChunk(int declared) {
        MemoryChannel channel = MemoryChannel.connected(new HttpRequestEncoder());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        HttpHeaders.setContentLength(request, declared);
        channel.write(request);
        ChannelFuture last = channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[4])) {
            @Override
            public boolean isLast() {
                return true;
            }
        });
        assertEquals(declared == 4, last.isSuccess());
        assertEquals(declared == 4, channel.isOpen());
    }

    /** The close may take a while, for example if a handler below announces it to the peer. */
    @ParameterizedTest
    @EnumSource
    void shouldSendNothingMoreOnceARequestCannotBeCompleted(Client client) {
        MemoryChannel channel = MemoryChannel.connected(
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {}
                },
                client.handler());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        HttpHeaders.setContentLength(request, 4);
        channel.write(request);
        ChannelBuffer five = ChannelBuffers.wrappedBuffer(new byte[5]);
        assertInstanceOf(IllegalStateException.class, channel.write(five).getCause());
        sent(channel);
        for (Object more : List.of(get(), five, new DefaultHttpChunk(five), HttpChunk.LAST_CHUNK, get())) {
            Throwable failure = channel.write(more).getCause();
            assertEquals("the connection is closed because a request could not be completed", failure.getMessage());
        }
        assertEquals("", sent(channel));
        assertTrue(channel.isOpen());
    }

    /** They belong to no request, such as a line for a proxy. */
    @ParameterizedTest
    @EnumSource
    void shouldStayOpenIfBytesOutsideOfRequestsAreRefused(Client client) {
        MemoryChannel channel = MemoryChannel.connected(client.handler());
        channel.holdWrites().turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
        ChannelBuffer line = ChannelBuffers.copiedBuffer("PROXY UNKNOWN\r\n", ISO_8859_1);
        assertInstanceOf(WriteOverflowException.class, channel.write(line).getCause());
        assertTrue(channel.isOpen());
    }
}
