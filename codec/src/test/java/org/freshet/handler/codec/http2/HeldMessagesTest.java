package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpChunk;
import org.junit.jupiter.api.Test;

/** Messages that wait for handlers: a peer can't force many objects with few octets. */
class HeldMessagesTest {
    private final HeldMessages held = new HeldMessages();

    private static ChannelBuffer buffer(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private List<String> takeAll() {
        List<String> texts = new ArrayList<>();
        for (HeldMessages.Entry each = held.poll(); each != null; each = held.poll()) {
            Object message = each.message();
            String text = message instanceof HttpChunk chunk
                    ? "chunk " + chunk.getContent().toString(US_ASCII)
                    : message instanceof ChannelBuffer bytes ? "bytes " + bytes.toString(US_ASCII) : message.toString();
            texts.add(text + " " + each.octets());
        }
        return texts;
    }

    /** WebSocket and other tunnels. */
    @Test
    void shouldMergeShortBuffers() {
        for (int i = 0; i < 100_000; i++) {
            held.add(buffer("x"), 1);
        }
        assertTrue(held.size() < 10, "" + held.size());

        int octets = 0;
        int content = 0;
        for (HeldMessages.Entry each = held.poll(); each != null; each = held.poll()) {
            octets += each.octets();
            content += ((ChannelBuffer) each.message()).readableBytes();
        }
        assertEquals(100_000, octets);
        assertEquals(100_000, content);
    }

    @Test
    void shouldMergeMoreWhileOthersWaitBefore() {
        held.add("first", 1);
        held.add(buffer("a"), 2);
        assertEquals("first", held.poll().message());
        held.add("second", 1);
        held.add(buffer("b"), 2);
        held.poll();
        held.add(buffer("c"), 3);
        assertEquals(List.of("second 1", "bytes bc 5"), takeAll());
    }

    @Test
    void shouldMergeShortChunks() {
        held.add(new DefaultHttpChunk(buffer("a")), 2);
        held.add(new DefaultHttpChunk(buffer("b")), 3);

        assertEquals(List.of("chunk ab 5"), takeAll());
        assertNull(held.poll());
    }

    @Test
    void shouldNotMergeDifferentKinds() {
        held.add(new DefaultHttpChunk(buffer("a")), 1);
        held.add(buffer("b"), 1);
        held.add(buffer("c"), 1);
        held.add(new DefaultHttpChunk(buffer("d")), 1);
        held.add(HttpChunk.LAST_CHUNK, 0);
        held.add("another", 0);
        held.add(buffer("e"), 1);

        List<String> all = takeAll();
        assertEquals(List.of("chunk a 1", "bytes bc 2", "chunk d 1"), all.subList(0, 3));
        assertEquals(List.of("another 0", "bytes e 1"), all.subList(4, 6));
    }

    @Test
    void shouldNotChangeMessagesThatHandlersHave() {
        held.add(buffer("a"), 1);
        Object taken = held.poll().message();
        held.add(buffer("b"), 1);

        assertEquals("a", ((ChannelBuffer) taken).toString(US_ASCII));
        assertEquals(List.of("bytes b 1"), takeAll());
    }

    /** 16 KiB, from pieces of less than 1 KiB. */
    @Test
    void shouldLimitTheLengthOfWhatIsMerged() {
        for (int i = 0; i < 16; i++) {
            held.add(buffer("x".repeat(1_023)), 1_023);
        }
        held.add(buffer("y".repeat(16)), 16);
        assertEquals(1, held.size());
        held.add(buffer("z"), 1);
        assertEquals(2, held.size());
        assertEquals(16 * 1_024, held.poll().octets());
        assertEquals(List.of("bytes z 1"), takeAll());

        held.add(buffer("a"), 1);
        held.add(buffer("b".repeat(1_024)), 1_024);
        held.add(buffer("c"), 1);
        assertEquals(3, held.size(), "1 KiB is not short");
    }

    @Test
    void shouldNotMergeLongBuffers() {
        ChannelBuffer first = buffer("x".repeat(2_000));
        ChannelBuffer second = buffer("y".repeat(2_000));
        held.add(first, 2_000);
        held.add(second, 2_000);

        assertEquals(first, held.poll().message());
        assertEquals(second, held.poll().message());
    }
}
