package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ReceiveBufferSizePredictorTest {
    private final AdaptiveReceiveBufferSizePredictor adaptive = new AdaptiveReceiveBufferSizePredictor();

    private static void read(ReceiveBufferSizePredictor predictor, int... sizes) {
        for (int size : sizes) {
            predictor.previousReceiveBufferSize(size);
        }
    }

    @Test
    void shouldPredictTheInitialSizeFirst() {
        assertEquals(1024, adaptive.nextReceiveBufferSize());
        assertEquals(77, new AdaptiveReceiveBufferSizePredictor(1, 77, 100).nextReceiveBufferSize());
    }

    @Test
    void shouldDoubleAfterAFullReadUpToTheMaximum() {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            read(adaptive, adaptive.nextReceiveBufferSize());
            sizes.add(adaptive.nextReceiveBufferSize());
        }
        assertEquals(List.of(2048, 4096, 8192, 16384, 32768, 65536, 65536, 65536), sizes);
    }

    @Test
    void shouldDoubleAfterMoreThanAFullRead() {
        read(adaptive, 5000);
        assertEquals(2048, adaptive.nextReceiveBufferSize());
    }

    @Test
    void shouldNotOverflowWhenItDoubles() {
        AdaptiveReceiveBufferSizePredictor huge =
                new AdaptiveReceiveBufferSizePredictor(1, Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        read(huge, Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, huge.nextReceiveBufferSize());
    }

    @Test
    void shouldShrinkByAStepAfterTwoSmallReadsInARow() {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            read(adaptive, 1);
            sizes.add(adaptive.nextReceiveBufferSize());
        }
        assertEquals(
                List.of(1024, 768, 768, 512, 512, 384, 384, 256, 256, 192, 192, 128, 128, 96, 96, 64, 64, 64, 64, 64),
                sizes);
    }

    @Test
    void shouldNotShrinkWhenALargerReadComesBetween() {
        for (int i = 0; i < 10; i++) {
            read(adaptive, 1, 800);
        }
        assertEquals(1024, adaptive.nextReceiveBufferSize());
    }

    @Test
    void shouldNotShrinkForASingleSmallReadAfterALargerOne() {
        read(adaptive, 800, 1);
        assertEquals(1024, adaptive.nextReceiveBufferSize());
    }

    @Test
    void shouldNotShrinkIfReadsWouldFillTheSmallerSize() {
        read(adaptive, 768, 768, 768);
        assertEquals(1024, adaptive.nextReceiveBufferSize());
        read(adaptive, 767, 767);
        assertEquals(768, adaptive.nextReceiveBufferSize());
    }

    @Test
    void shouldDoubleAsLongAsThatIsWithinTheMaximum() {
        AdaptiveReceiveBufferSizePredictor odd = new AdaptiveReceiveBufferSizePredictor(1, 50, 101);
        read(odd, 50);
        assertEquals(100, odd.nextReceiveBufferSize());
        read(odd, 100);
        assertEquals(101, odd.nextReceiveBufferSize());
    }

    @Test
    void shouldForgetASmallReadWhenItGrows() {
        read(adaptive, 1, 1024, 1);
        assertEquals(2048, adaptive.nextReceiveBufferSize());
    }

    @Test
    void shouldSettleWhenAllReadsHaveTheSameSize() {
        for (int size = 1; size < 70_000; size = size * 5 / 4 + 1) {
            AdaptiveReceiveBufferSizePredictor predictor = new AdaptiveReceiveBufferSizePredictor();
            for (int i = 0; i < 100; i++) {
                read(predictor, Math.min(size, predictor.nextReceiveBufferSize()));
            }
            int settled = predictor.nextReceiveBufferSize();
            for (int i = 0; i < 100; i++) {
                read(predictor, Math.min(size, predictor.nextReceiveBufferSize()));
                assertEquals(settled, predictor.nextReceiveBufferSize(), "reads of " + size);
            }
            assertTrue(settled > size || settled == 65536, "reads of " + size + " in " + settled);
            assertTrue(settled <= 2 * size || settled == 64, "reads of " + size + " in " + settled);
        }
    }

    @Test
    void shouldStayWithinItsBounds() {
        Random random = Seeds.random();
        for (int i = 0; i < 1000; i++) {
            int minimum = 1 + random.nextInt(1000);
            int initial = minimum + random.nextInt(1000);
            int maximum = initial + random.nextInt(1000);
            AdaptiveReceiveBufferSizePredictor predictor =
                    new AdaptiveReceiveBufferSizePredictor(minimum, initial, maximum);
            for (int j = 0; j < 100; j++) {
                read(predictor, random.nextInt(2 * maximum));
                int next = predictor.nextReceiveBufferSize();
                assertTrue(
                        next >= minimum && next <= maximum,
                        next + " not in " + minimum + ".." + maximum + ", seed " + Seeds.seed());
            }
        }
    }

    @Test
    void shouldWorkWithASingleSize() {
        AdaptiveReceiveBufferSizePredictor one = new AdaptiveReceiveBufferSizePredictor(1, 1, 1);
        read(one, 0, 0, 0, 1, 2);
        assertEquals(1, one.nextReceiveBufferSize());
    }

    @Test
    void shouldRefuseImpossibleBounds() {
        int[][] impossible = {{0, 1, 1}, {-1, 1, 1}, {2, 1, 3}, {2, 4, 3}};
        for (int[] bounds : impossible) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new AdaptiveReceiveBufferSizePredictor(bounds[0], bounds[1], bounds[2]));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new AdaptiveReceiveBufferSizePredictorFactory(bounds[0], bounds[1], bounds[2]));
        }
        assertThrows(IllegalArgumentException.class, () -> new FixedReceiveBufferSizePredictor(0));
        assertThrows(IllegalArgumentException.class, () -> new FixedReceiveBufferSizePredictorFactory(-1));
    }

    @Test
    void shouldAlwaysPredictTheFixedSize() {
        FixedReceiveBufferSizePredictor fixed = new FixedReceiveBufferSizePredictor(9);
        read(fixed, 0, 9, 100);
        assertEquals(9, fixed.nextReceiveBufferSize());
    }

    @Test
    void shouldCreateAnAdaptivePredictorPerChannelAndShareAFixedOne() throws Exception {
        ReceiveBufferSizePredictorFactory each = new AdaptiveReceiveBufferSizePredictorFactory(10, 20, 30);
        assertNotSame(each.getPredictor(), each.getPredictor());
        assertEquals(20, each.getPredictor().nextReceiveBufferSize());
        ReceiveBufferSizePredictorFactory byDefault = new AdaptiveReceiveBufferSizePredictorFactory();
        assertInstanceOf(AdaptiveReceiveBufferSizePredictor.class, byDefault.getPredictor());
        assertEquals(1024, byDefault.getPredictor().nextReceiveBufferSize());
        ReceiveBufferSizePredictorFactory shared = new FixedReceiveBufferSizePredictorFactory(9);
        assertSame(shared.getPredictor(), shared.getPredictor());
        assertEquals(9, shared.getPredictor().nextReceiveBufferSize());
    }
}
