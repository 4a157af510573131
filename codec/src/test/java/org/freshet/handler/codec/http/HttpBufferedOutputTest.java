package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.CodedContent.answering;
import static org.freshet.handler.codec.http.CodedContent.buffer;
import static org.freshet.handler.codec.http.CodedContent.gunzip;
import static org.freshet.handler.codec.http.CodedContent.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that the encoder of a content coding holds back. */
class HttpBufferedOutputTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    /** Produces nothing before the end. */
    private static final class Hoarding extends OneToOneEncoder {
        private final ChannelBuffer all = ChannelBuffers.dynamicBuffer();

        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            all.writeBytes((ChannelBuffer) msg);
            return null;
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (!(e instanceof MessageEvent) && all.readable()) {
                Channels.write(ctx, Channels.future(ctx.getChannel()), all.readBytes(all.readableBytes()));
            }
            super.handleDownstream(ctx, e);
        }
    }

    /** An encoder that writes a header needs a message to start with. */
    @Test
    void shouldOfferAnEmptyBufferToAnEncoderThatWasOfferedNothing() {
        List<String> offered = new ArrayList<>();
        ContentCodings codings = ContentCodings.defaults()
                .with(
                        "note",
                        () -> new EncoderEmbedder<>(new OneToOneEncoder() {
                            @Override
                            protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
                                offered.add(((ChannelBuffer) msg).toString(ISO_8859_1));
                                return buffer("noted");
                            }
                        }),
                        null);
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor(codings));
        for (String content : new String[] {"", "abc", ""}) {
            channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/") {
                {
                    headers().set("Accept-Encoding", "note");
                }
            });
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.setChunked(true);
            channel.write(head);
            if (!content.isEmpty()) {
                channel.write(new DefaultHttpChunk(buffer(content)));
            }
            channel.write(HttpChunk.LAST_CHUNK);
            List<Object> sent = channel.takeWritten();
            assertEquals(3, sent.size(), sent::toString);
            assertEquals("noted", ((HttpChunk) sent.get(1)).getContent().toString(ISO_8859_1));
            assertEquals(List.of(content), offered);
            offered.clear();
        }
    }

    private MemoryChannel hoarding() {
        ContentCodings codings =
                ContentCodings.defaults().with("hoard", () -> new EncoderEmbedder<>(new Hoarding()), null);
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor(codings));
        request.headers().set("Accept-Encoding", "hoard");
        channel.receive(request);
        response.setChunked(true);
        channel.write(response);
        channel.takeWritten();
        return channel;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void shouldBufferNothingOfADeflatedChunk(String coding) {
        MemoryChannel channel = answering(request, coding);
        response.setChunked(true);
        channel.write(response);
        channel.takeWritten();
        DecoderEmbedder<ChannelBuffer> inflater =
                new DecoderEmbedder<>(new ZlibDecoder(coding.equals("gzip") ? ZlibWrapper.GZIP : ZlibWrapper.ZLIB));
        for (String text : List.of("a", "b".repeat(100_000), text(5000), "c")) {
            channel.write(new DefaultHttpChunk(buffer(text)));
            channel.takeWritten().forEach(chunk -> inflater.offer(((HttpChunk) chunk).getContent()));
            ChannelBuffer[] arrived = inflater.pollAll(new ChannelBuffer[0]);
            assertEquals(text, ChannelBuffers.wrappedBuffer(arrived).toString(ISO_8859_1));
            assertEquals(0, WriteAccount.waitingBytes(channel));
        }
    }

    @Test
    void shouldChargeOutputBufferedByAUsersEncoder() {
        MemoryChannel channel = hoarding();
        for (int i = 1; i <= 10; i++) {
            assertTrue(channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))))
                    .isSuccess());
            assertEquals(i * WriteAccount.costOf(1000), WriteAccount.waitingBytes(channel));
        }
        assertEquals(List.of(), channel.takeWritten());
        channel.holdWrites();
        channel.write(HttpChunk.LAST_CHUNK);
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
        HttpChunk all = (HttpChunk) channel.takeWritten().get(0);
        assertEquals(10_000, all.getContent().readableBytes());
    }

    @Test
    void shouldApplyTheLimitOfQueuedBytesToAUsersEncoder() {
        MemoryChannel channel = hoarding();
        channel.limit(4096);
        for (int i = 0; i < 100 && channel.isOpen(); i++) {
            channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))));
            assertTrue(WriteAccount.waitingBytes(channel) <= 4096);
        }
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldApplyTheLimitOfQueuedBytesToADeflatedAnswer() {
        MemoryChannel channel = answering(request, "gzip");
        response.setChunked(true);
        channel.write(response);
        channel.limit(4096);
        channel.holdWrites();
        for (int i = 0; i < 100 && channel.isOpen(); i++) {
            channel.write(new DefaultHttpChunk(buffer(text(1000))));
            assertTrue(WriteAccount.waitingBytes(channel) <= 4096 + WriteAccount.costOf(1000));
        }
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    /** Keeps the channel open although its close was requested, for example until the peer has read everything. */
    private static final class LingeringChannel extends SimpleChannelDownstreamHandler {
        private int closeRequests;

        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closeRequests++;
        }
    }

    /** Its next chunk will be refused. */
    private MemoryChannel full(ChannelHandler lowest) {
        MemoryChannel channel = MemoryChannel.connected(lowest, new HttpContentCompressor());
        request.headers().set("Accept-Encoding", "gzip");
        channel.receive(request);
        channel.receive(request);
        response.setChunked(true);
        channel.write(response);
        channel.holdWrites();
        channel.write(new DefaultHttpChunk(buffer(text(20_000))));
        channel.takeWritten();
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
        return channel;
    }

    private static void assertRefused(MemoryChannel channel, HttpChunk chunk) {
        assertInstanceOf(WriteOverflowException.class, Await.failure(channel.write(chunk), "the write of a chunk"));
    }

    @Test
    void shouldRequestOneCloseAndSendNoMoreOfTheResponseAfterARefusedChunk() {
        LingeringChannel linger = new LingeringChannel();
        MemoryChannel channel = full(linger);
        HttpChunk chunk = new DefaultHttpChunk(buffer("x"));
        assertRefused(channel, chunk);
        assertRefused(channel, chunk);
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertRefused(channel, chunk);
        assertRefused(channel, HttpChunk.LAST_CHUNK);
        assertEquals(List.of(), channel.takeWritten());
        assertEquals(1, linger.closeRequests);
        channel.write(OutputShutdown.INSTANCE); // by a handler above that lingers, too
        assertEquals(List.of(OutputShutdown.INSTANCE), channel.takeWritten());
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    /** The end of the response is small enough for the room that is left. */
    @Test
    void shouldNotSendTheEndOfTheResponseThatTheListenerOfARefusedChunkWrites() {
        MemoryChannel channel = full(new LingeringChannel());
        channel.limit((int) WriteAccount.waitingBytes(channel) + 2_000, WriteOverflow.FAIL);
        ChannelFuture refused = Channels.future(channel);
        List<ChannelFuture> end = new ArrayList<>();
        refused.addListener(done -> end.add(channel.write(HttpChunk.LAST_CHUNK)));
        HttpChunk chunk = new DefaultHttpChunk(buffer(text(8_000)));
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, refused, chunk, null));
        channel.completeWrites();
        assertInstanceOf(WriteOverflowException.class, Await.failure(refused, "the write of a chunk"));
        assertInstanceOf(WriteOverflowException.class, Await.failure(end.get(0), "the write of the end"));
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldRequestTheCloseWithTheNextChunkIfThereWasNoMemoryForItAfterARefusal() {
        int closedLater = 0;
        boolean wasReached = true;
        for (int step = 0; wasReached; step++) {
            response.headers().remove("Content-Encoding");
            LingeringChannel linger = new LingeringChannel();
            MemoryChannel channel = full(linger);
            Scarcity scarcity = new Scarcity(step);
            MessageEvent write = scarcity.write(channel, new DefaultHttpChunk(buffer("x")));
            Scarcity.survive(() -> channel.getPipeline().sendDownstream(write));
            wasReached = scarcity.wasReached();
            if (write.getFuture().getCause() instanceof WriteOverflowException) {
                closedLater += 1 - linger.closeRequests;
                channel.completeWrites();
                assertRefused(channel, HttpChunk.LAST_CHUNK);
                assertEquals(1, linger.closeRequests);
            }
            channel.getPipeline().remove(linger);
            channel.close();
        }
        assertTrue(closedLater > 0);
    }

    @Test
    void shouldSendTheResponseAfterAnIncompleteOne() throws Exception {
        MemoryChannel channel = full(new LingeringChannel());
        assertRefused(channel, new DefaultHttpChunk(buffer("x")));
        channel.completeWrites();

        HttpResponse whole = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        whole.setContent(buffer("hello hello hello"));
        channel.write(whole);
        assertEquals(List.of(whole), channel.takeWritten());
        assertEquals("hello hello hello", gunzip(whole.getContent()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "remove", "respond"})
    void shouldReleaseOutputOfAnAbandonedEncoder(String end) {
        MemoryChannel channel = hoarding();
        channel.write(new DefaultHttpChunk(buffer("x".repeat(1000))));
        assertTrue(WriteAccount.waitingBytes(channel) > 0);
        switch (end) {
            case "close" -> channel.close();
            case "remove" -> channel.getPipeline().remove(HttpContentCompressor.class);
            default -> channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST));
        }
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }
}
