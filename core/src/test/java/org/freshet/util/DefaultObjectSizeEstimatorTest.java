package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.HeldSize;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.PartialLoader;
import org.junit.jupiter.api.Test;

class DefaultObjectSizeEstimatorTest {
    private final ObjectSizeEstimator estimator = new DefaultObjectSizeEstimator();

    private void assertAbout(int expectedBytes, Object object) {
        int estimated = estimator.estimateSize(object);
        assertTrue(
                estimated >= expectedBytes && estimated <= expectedBytes + 100,
                "about " + expectedBytes + ", not " + estimated);
        assertEquals(0, estimated % 8);
    }

    /** A type of an optional dependency. */
    public static class Optional {}

    /** Refers to the type in a field. */
    public static class PartlyLinked {
        public Optional optional;
        public long number;
    }

    @Test
    void shouldEstimateAMessageWhoseFieldsCannotBeListed() throws Exception {
        Object message = new PartialLoader(PartlyLinked.class, Optional.class).newInstance();
        assertThrows(NoClassDefFoundError.class, () -> message.getClass().getDeclaredFields());
        assertAbout(0, message);
    }

    @Test
    void shouldCountContents() {
        assertAbout(10_000, ChannelBuffers.buffer(10_000));
        assertAbout(10_000, ByteBuffer.allocateDirect(10_000));
        assertAbout(10_000, new byte[10_000]);
        assertAbout(40_000, new int[10_000]);
        assertAbout(80_000, new double[10_000]);
        assertAbout(20_000, "x".repeat(10_000));
        assertAbout(30_000, List.of(new byte[10_000], new byte[20_000]));
        assertAbout(30_000, new Object[] {new byte[10_000], new byte[20_000]});
        assertAbout(30_000, Map.of("key", new byte[10_000], "other", new byte[20_000 - 100]));
    }

    /** Such as a chunk or a frame. */
    @Test
    void shouldCountAProtocolMessageWithTheBytesThatItHolds() {
        HeldSize message = () -> 10_000;
        assertAbout(10_000, message);
    }

    @Test
    void shouldCountAMessageEventWithItsMessageAndAWrapperAsWhatItWraps() {
        MemoryChannel channel = MemoryChannel.open();
        assertAbout(10_000, new UpstreamMessageEvent(channel, ChannelBuffers.buffer(10_000), null));
        assertAbout(10_000, (EstimatableObjectWrapper) () -> new byte[10_000]);
    }

    @Test
    void shouldCountTheFieldsOfAnythingElse() {
        record Fields(long a, double b, int c, float d, char e, short f, byte g, boolean h, Object i) {}

        assertEquals(0, estimator.estimateSize(null));
        assertEquals(16, estimator.estimateSize(new Object()));
        assertEquals(
                16 + 8 + 8 + 4 + 4 + 2 + 2 + 1 + 1 + 4 + 6,
                estimator.estimateSize(new Fields(1, 2, 3, 4, 'e', (short) 6, (byte) 7, true, new byte[1_000])));
    }

    @Test
    void shouldEstimateObjectsThatContainThemselves() {
        List<Object> own = new ArrayList<>();
        own.add(own);
        assertTrue(estimator.estimateSize(own) > 0);
        assertTrue(estimator.estimateSize(Path.of("a", "b")) > 0); // its elements are paths again, forever
    }

    @Test
    void shouldLimitTheSizeToTheLargestInt() {
        byte[] megabyte = new byte[1 << 20];
        List<byte[]> fourThousand = new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                return megabyte;
            }

            @Override
            public int size() {
                return 4_000;
            }
        };
        assertEquals(Integer.MAX_VALUE, estimator.estimateSize(fourThousand));
    }
}
