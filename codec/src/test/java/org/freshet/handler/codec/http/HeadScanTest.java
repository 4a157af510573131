package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Each scan stops at the first byte that is not allowed, wherever it is. */
class HeadScanTest {
    /** More than two steps of 16 bytes. */
    private static final int MAX_BYTES = 36;

    @FunctionalInterface
    private interface Scan {
        int find(byte[] array, int from, int to);
    }

    private static void assertStopsAt(String scanName, Scan scan, IntPredicate isStop) {
        byte[] array = new byte[MAX_BYTES + 3];
        Arrays.fill(array, (byte) 'a');
        array[0] = 0;
        array[MAX_BYTES + 2] = 0;
        for (int length = 0; length <= MAX_BYTES; length++) {
            int to = 2 + length;
            assertEquals(to, scan.find(array, 2, to), scanName);
            for (int at = 2; at < to; at++) {
                for (int b = 0; b < 256; b++) {
                    array[at] = (byte) b;
                    if (scan.find(array, 2, to) != (isStop.test(b) ? at : to)) {
                        throw new AssertionError(scanName + ": byte " + b + " at " + at + " of " + to);
                    }
                }
                array[at] = 'a';
            }
        }
    }

    @Test
    void shouldStopAtAControlInAValue() {
        assertStopsAt("value", HeadScan::endOfValue, b -> b < ' ' && b != '\t' || b == 0x7f);
    }

    @Test
    void shouldStopAtABlankOrControlInATarget() {
        assertStopsAt("target", HeadScan::endOfTarget, b -> b <= ' ' || b == 0x7f);
    }

    @Test
    void shouldStopAtTheEndOfAToken() {
        String others = "!#$%&'*+-.^_`|~";
        assertStopsAt(
                "token",
                HeadScan::endOfToken,
                b -> !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || others.indexOf(b) >= 0));
    }

    @Test
    void shouldStopAtTheFirstOfSeveral() {
        byte[] array = "aa\taaa\raaaaaaaaaa\n".getBytes(US_ASCII);
        assertEquals(6, HeadScan.endOfValue(array, 0, array.length));
        assertEquals(17, HeadScan.endOfValue(array, 7, array.length));
        assertEquals(2, HeadScan.endOfTarget(array, 0, array.length));
        assertEquals(6, HeadScan.endOfTarget(array, 3, array.length));
    }

    @Test
    void shouldRemoveBlanksAtTheEnd() {
        byte[] array = "x a b \t".getBytes(US_ASCII);
        assertEquals(5, HeadScan.trimmedEnd(array, 0, 7));
        assertEquals(3, HeadScan.trimmedEnd(array, 2, 4));
        assertEquals(5, HeadScan.trimmedEnd(array, 5, 7));
        assertEquals(1, HeadScan.trimmedEnd(array, 1, 1));
    }

    @Test
    void shouldReadATextAsTheSameWordAsItsBytes() {
        for (String text : new String[] {"HTTP/1.1", "GET ", "abcdefgh", "\0~"}) {
            byte[] array = ("x" + text + "\0".repeat(8 - text.length())).getBytes(US_ASCII);
            assertEquals(HeadScan.word(array, 1), HeadScan.wordOf(text), text);
        }
    }
}
