package org.freshet.handler.codec.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferIndexFinder;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.junit.jupiter.api.Test;

/** Searches that a replaying decoder repeats until the bytes they look for have arrived. */
class ReplayedSearchTest {
    /** Lines whose end is found with a given search; counts how many bytes of the received buffers were searched. */
    private static final class Lines extends ReplayingDecoder<VoidEnum> {
        private final ToIntFunction<ChannelBuffer> search;
        private final int terminatorBytes;
        long searchedBytes;

        Lines(ToIntFunction<ChannelBuffer> search, int terminatorBytes) {
            this.search = search;
            this.terminatorBytes = terminatorBytes;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
            String line = buffer.readBytes(search.applyAsInt(buffer)).toString(US_ASCII);
            buffer.skipBytes(terminatorBytes);
            return line;
        }

        @Override
        protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
            ChannelBuffer buffer = super.newCumulationBuffer(ctx, minimumCapacity);
            return (ChannelBuffer) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {ChannelBuffer.class}, (proxy, method, args) -> {
                        if (method.getName().equals("indexOf")) {
                            searchedBytes += (Integer) args[1] - (Integer) args[0];
                        }
                        try {
                            return method.getName().equals("equals") ? proxy == args[0] : method.invoke(buffer, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    private static void offerByteByByte(DecoderEmbedder<?> embedder, byte[] input) {
        for (byte b : input) {
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {b}));
        }
    }

    @Test
    void shouldSearchEachByteOnceHoweverManyPiecesArrive() {
        int length = 20_000;
        byte[] input = ("x".repeat(length) + "\n").repeat(2).getBytes(US_ASCII);
        Map<String, ToIntFunction<ChannelBuffer>> searches = Map.of(
                "byte", buffer -> buffer.bytesBefore((byte) '\n'),
                "byte within a limit", buffer -> buffer.bytesBefore(100_000, (byte) '\n'),
                "finder", buffer -> buffer.bytesBefore(ChannelBufferIndexFinder.LF),
                "finder within a limit", buffer -> buffer.bytesBefore(100_000, ChannelBufferIndexFinder.CRLF));
        searches.forEach((name, search) -> {
            Lines decoder = new Lines(search, 1);
            DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
            offerByteByByte(embedder, input);
            assertEquals(2, embedder.size(), name);
            assertEquals(length, embedder.poll().length(), name);
            assertTrue(decoder.searchedBytes > 0, name);
            assertTrue(decoder.searchedBytes <= input.length, name + " searched " + decoder.searchedBytes);
        });
    }

    @Test
    void shouldAskAFinderOnceForEachByte() {
        int length = 20_000;
        int[] questions = new int[1];
        ChannelBufferIndexFinder lineFeed = (buffer, index) -> {
            questions[0]++;
            return buffer.getByte(index) == '\n';
        };
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Lines(b -> b.bytesBefore(lineFeed), 1));
        offerByteByByte(embedder, ("x".repeat(length) + "\n").getBytes(US_ASCII));
        assertEquals(length, embedder.poll().length());
        assertEquals(length + 1, questions[0]);
    }

    /** A finder that looks ahead must not miss a match if only its beginning had arrived when it was asked. */
    @Test
    void shouldAskAFinderThatLooksAheadWhenTheBytesHaveArrived() {
        ChannelBufferIndexFinder lineEnd = (buffer, index) ->
                buffer.getByte(index) == '\r' && index + 1 < buffer.writerIndex() && buffer.getByte(index + 1) == '\n';
        byte[] input = "one\r\ntwo\rthree\r\n\r\nrest\r".getBytes(US_ASCII);
        DecoderSplitChecker.of(() -> new Lines(b -> b.bytesBefore(lineEnd), 2)).check(input);
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Lines(b -> b.bytesBefore(lineEnd), 2));
        offerByteByByte(embedder, input);
        embedder.finish();
        assertEquals(List.of("one", "two\rthree", ""), List.of(embedder.pollAll()));
    }

    /** Two searches per attempt, a checkpoint between messages, and a search that starts before the remembered one. */
    @Test
    void shouldNotMixUpSearches() {
        byte[] input = "a=1;bb=22;;=3;c;=4;x".getBytes(US_ASCII);
        DecoderSplitChecker checker = DecoderSplitChecker.of(() -> new ReplayingDecoder<VoidEnum>() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state) {
                int start = buffer.readerIndex();
                int equals = buffer.indexOf(start, Integer.MAX_VALUE, (byte) '=');
                int end = buffer.indexOf(equals, Integer.MAX_VALUE, (byte) ';');
                int first = buffer.indexOf(start, Integer.MAX_VALUE, (byte) ';');
                String name = buffer.readBytes(equals - start).toString(US_ASCII);
                checkpoint();
                int length = buffer.bytesBefore((byte) ';');
                assertEquals(end - buffer.readerIndex(), length);
                String value = buffer.readBytes(length + 1).toString(US_ASCII);
                return name + value + (first - start);
            }
        });
        checker.check(input);
    }
}
