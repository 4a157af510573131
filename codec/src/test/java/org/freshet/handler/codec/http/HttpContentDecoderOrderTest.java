package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.CodedContent.gzipped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What handlers do while they receive decoded content: receive more, suspend reading, close, or remove the decoder. */
class HttpContentDecoderOrderTest {
    private static final String TEXT = text();
    private static final int PIECES = 4;
    private static final String FIRST = "chunk " + TEXT.substring(0, 3);

    private final HttpContentDecompressor decompressor = new HttpContentDecompressor();

    /** Shrinks little, so its pieces are large. */
    private static String text() {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static HttpRequest chunked(String target) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, target);
        request.setChunked(true);
        return request;
    }

    private static HttpRequest encoded() {
        HttpRequest request = chunked("/");
        request.headers().set("Content-Encoding", "gzip");
        return request;
    }

    private static HttpChunk content() {
        return new DefaultHttpChunk(gzipped(TEXT));
    }

    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream()
                .map(Decoded::describe)
                .map(text -> text.substring(0, Math.min(9, text.length())))
                .toList();
    }

    /** Does something before it passes on the first message of a kind. */
    private final class Busy extends SimpleChannelUpstreamHandler {
        private final Class<?> kind;
        private final Runnable work;
        private boolean isDone;

        Busy(Class<?> kind, Runnable work) {
            this.kind = kind;
            this.work = work;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!isDone && kind.isInstance(e.getMessage())) {
                isDone = true;
                work.run();
            }
            ctx.sendUpstream(e);
        }
    }

    private MemoryChannel channel;

    private void connect(Class<?> kind, Runnable work) {
        channel = MemoryChannel.connected(decompressor, new Busy(kind, work));
    }

    @Test
    void shouldKeepTheOrderIfMoreIsReceivedWhileAHeadIsHandled() {
        connect(HttpRequest.class, () -> {
            channel.receive(new DefaultHttpChunk(gzipped("ab")));
            channel.receive(HttpChunk.LAST_CHUNK);
        });
        channel.receive(encoded());
        assertEquals(List.of("POST / HT", "chunk ab", "end"), received(channel));
    }

    @Test
    void shouldKeepTheOrderIfReadingIsSuspendedAndResumedWhileAPieceIsHandled() {
        connect(HttpChunk.class, () -> {
            channel.setReadable(false);
            channel.setReadable(true);
        });
        channel.receive(encoded());
        channel.receive(content());
        StringBuilder text = new StringBuilder();
        List<Object> received = channel.takeReceived();
        for (Object chunk : received.subList(1, received.size())) {
            text.append(((HttpChunk) chunk).getContent().toString(ISO_8859_1));
        }
        assertEquals(TEXT, text.toString());
        assertEquals(1 + PIECES, received.size());
    }

    /** Neither the other pieces nor what was received meanwhile. */
    @Test
    void shouldPassOnNothingToAHandlerThatCloses() {
        connect(HttpChunk.class, () -> {
            channel.receive(HttpChunk.LAST_CHUNK);
            channel.receive(chunked("/next"));
            channel.close();
        });
        channel.receive(encoded());
        channel.receive(content());
        assertEquals(List.of("POST / HT", FIRST), received(channel));
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldPassOnNoPieceAfterItIsRemoved() {
        connect(HttpChunk.class, () -> channel.getPipeline().remove(decompressor));
        channel.receive(encoded());
        channel.receive(content());
        HttpChunk raw = new DefaultHttpChunk(ChannelBuffers.copiedBuffer("raw", ISO_8859_1));
        channel.receive(raw);
        assertEquals(List.of("POST / HT", FIRST, "chunk raw"), received(channel));
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldPassOnWhatWaitsWhenAChannelCloses() {
        MemoryChannel unconnected = MemoryChannel.open(decompressor);
        unconnected.receive(encoded());
        unconnected.setReadable(false);
        unconnected.receive(content());
        unconnected.receive(HttpChunk.LAST_CHUNK);
        assertEquals(2, unconnected.takeReceived().size());
        unconnected.close();
        List<Object> received = unconnected.takeReceived();
        assertEquals(PIECES - 1 + 1, received.size());
        assertEquals(HttpChunk.LAST_CHUNK, received.get(PIECES - 1));
    }

    @Test
    void shouldContinueWhenReadingResumesAlthoughNothingElseWasReceived() {
        channel = MemoryChannel.connected(decompressor);
        channel.receive(encoded());
        channel.setReadable(false);
        channel.receive(content());
        assertEquals(2, channel.takeReceived().size());
        channel.setReadable(true);
        assertEquals(PIECES - 1, channel.takeReceived().size());
    }

    @Test
    void shouldPassOnWhatWaitsBeforeTheEventThatTheConnectionHasEnded() {
        channel = MemoryChannel.connected(decompressor);
        channel.receive(encoded());
        channel.setReadable(false);
        channel.receive(content());
        channel.receive(HttpChunk.LAST_CHUNK);
        channel.takeUpstream();
        channel.disconnect();
        List<ChannelEvent> events = channel.takeUpstream();
        assertEquals(
                PIECES + 3, events.size(), "the pieces, their end, and of the channel: disconnected, unbound, closed");
        assertEquals(HttpChunk.LAST_CHUNK, ((MessageEvent) events.get(PIECES - 1)).getMessage());
    }

    /** So the decoder's memory is released at the end of the connection, of its time in the pipeline, or of the message. */
    @ParameterizedTest
    @ValueSource(strings = {"close", "remove", "next", "next is short"})
    void shouldReleaseTheMemoryOfContentThatIsCutShort(String end) {
        int before = CoderPool.taken();
        channel = MemoryChannel.connected(decompressor);
        channel.receive(encoded());
        ChannelBuffer part = gzipped(TEXT);
        channel.receive(new DefaultHttpChunk(part.slice(0, part.readableBytes() - 30)));
        assertTrue(CoderPool.taken() > before);
        switch (end) {
            case "close" -> channel.close();
            case "remove" -> channel.getPipeline().remove(decompressor);
            case "next" -> channel.receive(chunked("/next"));
            default -> {
                HttpRequest whole = encoded();
                whole.setChunked(false);
                whole.setContent(part.slice(0, part.readableBytes() - 30));
                channel.receive(whole);
            }
        }
        assertEquals(before, CoderPool.taken());
    }

    @Test
    void shouldNotDecodeTheMessageAfterAnIncompleteOne() {
        channel = MemoryChannel.connected(decompressor);
        channel.receive(encoded());
        channel.receive(new DefaultHttpChunk(gzipped("ab").slice(0, 5)));
        channel.receive(chunked("/next"));
        channel.receive(new DefaultHttpChunk(ChannelBuffers.copiedBuffer("raw", ISO_8859_1)));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("POST / HT", "POST /nex", "chunk raw", "end"), received(channel));
    }

    @Test
    void shouldPassOnOtherMessagesWithinContent() {
        channel = MemoryChannel.connected(decompressor);
        channel.receive(encoded());
        channel.receive("other");
        channel.receive(new DefaultHttpChunk(gzipped("ab")));
        assertEquals("other", channel.takeReceived().get(1));
        assertEquals(List.of(), channel.takeCaught());
    }

    private void suspendBeforeOther() {
        channel.receive(encoded());
        channel.setReadable(false);
        channel.receive(content());
        channel.receive("other");
    }

    /** As soon as they get what waited, handlers may read on. */
    @Test
    void shouldPassOnNoPieceThatWaitedWhenItIsRemoved() {
        connect(String.class, () -> channel.setReadable(true));
        suspendBeforeOther();
        channel.getPipeline().remove(decompressor);
        List<Object> received = channel.takeReceived();
        assertEquals(3, received.size());
        assertEquals("other", received.get(2));
    }

    /** Its removal isn't over when handlers get what waited, and may receive more. */
    @Test
    void shouldReleaseTheMemoryOfContentThatBeginsWhileItIsRemoved() {
        int before = CoderPool.taken();
        connect(String.class, () -> {
            channel.receive(encoded());
            channel.receive(new DefaultHttpChunk(gzipped(TEXT).slice(0, 1000)));
        });
        suspendBeforeOther();
        channel.getPipeline().remove(decompressor);
        assertEquals("other", channel.takeReceived().get(4));
        assertEquals(before, CoderPool.taken());
    }

    @Test
    void shouldPassOnWhatWasReceivedBeforeContentTurnsOutToBeCorrupt() {
        connect(HttpChunk.class, () -> {
            channel.receive(HttpChunk.LAST_CHUNK);
            channel.receive(chunked("/next"));
        });
        channel.receive(encoded());
        ChannelBuffer content = gzipped(TEXT);
        content.setByte(content.writerIndex() - 8, content.getByte(content.writerIndex() - 8) ^ 1); // its checksum
        channel.receive(new DefaultHttpChunk(content));
        List<String> received = received(channel);
        assertEquals(1 + PIECES + 1, received.size());
        assertEquals("POST /nex", received.get(1 + PIECES));
        assertEquals(1, channel.takeCaught().size());
    }
}
