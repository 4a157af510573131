package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of a connection, or of the handler's time in it, while a user's encoder is at work. */
class HttpContentEncoderEndsTest {
    private final List<String> offered = new ArrayList<>();

    /** What the encoder does with its next chunk, before it produces anything. */
    private Runnable work = () -> {};

    /** What it produces from each chunk; null for nothing. */
    private String output;

    private final HttpContentCompressor compressor = new HttpContentCompressor(
            ContentCodings.defaults().with("mine", () -> new EncoderEmbedder<>(new Mine()), null));

    /** How often it was told that nothing follows. */
    private int ends;

    private final class Mine extends OneToOneEncoder {
        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (!(e instanceof MessageEvent)) {
                ends++;
            }
            super.handleDownstream(ctx, e);
        }

        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            offered.add(((ChannelBuffer) msg).toString(ISO_8859_1));
            work.run();
            return output == null ? null : ChannelBuffers.copiedBuffer(output, ISO_8859_1);
        }
    }

    private MemoryChannel answering() {
        return answering(WrittenParts.inChunks(200));
    }

    private MemoryChannel answering(HttpResponse head) {
        MemoryChannel channel = MemoryChannel.connected(compressor);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Accept-Encoding", "mine");
        channel.receive(request);
        channel.write(head);
        channel.takeWritten();
        return channel;
    }

    /** Without that chunk, the client would take the rest for the whole. */
    @Test
    void shouldCutAResponseOfADeclaredLengthIfAChunkCouldNotBeEncoded() {
        HttpResponse head = WrittenParts.inChunks(200);
        HttpHeaders.setContentLength(head, 4);
        MemoryChannel channel = answering(head);
        output = "encoded";
        assertTrue(channel.write(WrittenParts.chunk("ab")).isSuccess());
        work = () -> {
            throw new IllegalArgumentException("the encoder's");
        };
        assertFalse(channel.write(WrittenParts.chunk("cd")).isSuccess());
        work = () -> {};
        assertInstanceOf(
                IllegalStateException.class, channel.write(HttpChunk.LAST_CHUNK).getCause());
        assertFalse(channel.isOpen());
        assertEquals(1, channel.takeWritten().size(), "the chunk that was encoded, and no end");
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReleaseAChunkIfTheEncoderEndsWhileItEncodesIt(boolean closes) {
        MemoryChannel channel = answering();
        work = closes ? channel::close : () -> channel.getPipeline().remove(compressor);
        channel.write(WrittenParts.chunk("a".repeat(1000)));
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertEquals(List.of(), channel.takeWritten());
        assertEquals(!closes, channel.isOpen());
    }

    @Test
    void shouldReleaseChunksFromWhichNothingIsProduced() {
        MemoryChannel channel = answering();
        channel.write(WrittenParts.chunk("a".repeat(1000)));
        assertTrue(WriteAccount.waitingBytes(channel) > 0);
        channel.write(HttpChunk.LAST_CHUNK);
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertEquals(List.of(HttpChunk.LAST_CHUNK), channel.takeWritten());
    }

    /** The thread that writes waits for room; meanwhile another removes the handler. */
    @Test
    void shouldOfferNothingToAnEncoderThatHasEnded() {
        MemoryChannel channel = answering().holdWrites();
        output = "encoded";
        channel.write(WrittenParts.chunk("first"));
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.BLOCK);
        Thread writer = new Thread(() -> channel.write(WrittenParts.chunk("second")));
        writer.start();
        Await.until(() -> writer.getState() == Thread.State.TIMED_WAITING, "a writer that waits for room");
        channel.getPipeline().remove(compressor);
        channel.completeWrites();
        Await.end(writer);
        assertEquals(List.of("first"), offered);
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldPassOnTheEndOfTheConnection() {
        MemoryChannel channel = answering();
        channel.close();
        assertFalse(channel.takeUpstream().stream()
                .noneMatch(e -> e instanceof ChannelStateEvent change
                        && change.getState() == ChannelState.OPEN
                        && change.getValue().equals(false)));
    }

    /** It may hold memory that it releases then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAnEncoderWhoseResponseIsNotCompleted(boolean closes) {
        MemoryChannel channel = answering();
        channel.write(WrittenParts.chunk("a"));
        assertEquals(0, ends);
        if (closes) {
            channel.close();
        } else {
            channel.getPipeline().remove(compressor);
        }
        assertEquals(1, ends);
    }

    @Test
    void shouldPassOnWhatIsNotHttpWithinAResponse() {
        MemoryChannel channel = answering();
        Object notHttp = new Object();
        assertTrue(channel.write(notHttp).isSuccess());
        assertEquals(List.of(notHttp), channel.takeWritten());
    }

    @Test
    void shouldEndTheEncoderOfAnAnswerToHead() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec(), compressor);
        server.receive("HEAD / HTTP/1.1\r\nAccept-Encoding: mine\r\n\r\n");
        server.channel.write(WrittenParts.inChunks(200));
        assertEquals(1, ends);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103, 199})
    void shouldEncodeTheAnswerAfterAnInterimResponse(int code) {
        output = "encoded";
        MemoryChannel channel = MemoryChannel.connected(compressor);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Accept-Encoding", "mine");
        channel.receive(request);
        channel.write(WrittenParts.head(code, -1));
        HttpResponse answer = WrittenParts.head(200, -1);
        answer.setContent(WrittenParts.bytes("a"));
        channel.write(answer);
        assertEquals("encoded", answer.getContent().toString(ISO_8859_1));
    }

    // ---- what it leaves alone ----

    /** With a codec, and without one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPassOnWhatIsReceived(boolean hasCodec) {
        HttpTestServer server =
                hasCodec ? new HttpTestServer(new HttpServerCodec(), compressor) : new HttpTestServer(compressor);
        HttpResponse noRequest = WrittenParts.head(200, 0);
        for (Object message : List.of(WrittenParts.chunk("a"), HttpChunk.LAST_CHUNK, "other", noRequest)) {
            server.channel.receive(message);
            assertEquals(List.of(message), server.channel.takeReceived());
        }
        assertEquals(List.of(), server.channel.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPassOnRequestsToReadOrNot(boolean hasCodec) {
        HttpTestServer server =
                hasCodec ? new HttpTestServer(new HttpServerCodec(), compressor) : new HttpTestServer(compressor);
        assertTrue(server.channel.setReadable(false).isSuccess());
        assertFalse(server.channel.isReadable());
        assertTrue(server.channel.setReadable(true).isSuccess());
        assertTrue(server.channel.isReadable());
    }

    @Test
    void shouldPassOnTheChunksOfAResponseThatIsNotEncoded() {
        MemoryChannel channel = MemoryChannel.connected(compressor);
        channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        List<Object> parts = List.of(WrittenParts.inChunks(200), WrittenParts.chunk("a"), HttpChunk.LAST_CHUNK);
        parts.forEach(part -> assertTrue(channel.write(part).isSuccess()));
        assertEquals(parts, channel.takeWritten());
    }

    /** A subclass is asked about content only. */
    @Test
    void shouldAskForAnEncoderIfThereIsContent() {
        List<String> asked = new ArrayList<>();
        HttpContentEncoder asking = new HttpContentEncoder() {
            @Override
            protected EncoderEmbedder<ChannelBuffer> newContentEncoder(HttpMessage msg, String acceptEncoding) {
                asked.add(acceptEncoding);
                return null;
            }

            @Override
            protected String getTargetContentEncoding(String acceptEncoding) {
                return acceptEncoding;
            }
        };
        MemoryChannel channel = MemoryChannel.connected(asking);
        for (String accepts : new String[] {null, "", "a"}) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            if (accepts != null) {
                request.headers().set("Accept-Encoding", accepts);
            }
            channel.receive(request);
            channel.receive(request);
            channel.write(WrittenParts.inChunks(200));
            channel.write(WrittenParts.head(200, 0));
        }
        assertEquals(List.of("identity", "", "a"), asked);
    }
}
