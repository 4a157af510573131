package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class BoundaryScannerTest {
    private static final int[] LENGTHS = {1, 2, 3, 5, 40, 124, 200};

    /** Uses few letters, so that much of the data looks like part of a delimiter. */
    private static final String LETTERS = "ab-";

    @Test
    void shouldFindTheSameDelimitersHoweverTheInputIsSplit() {
        Random random = Seeds.random();
        for (int round = 0; round < 1000; round++) {
            String boundary = letters(random, LETTERS, LENGTHS[random.nextInt(LENGTHS.length)]);
            StringBuilder body = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                body.append(letters(random, LETTERS + "\r\n", random.nextInt(2 * boundary.length() + 20)));
                int delimiter = random.nextInt(boundary.length() + 1);
                body.append("\r\n--").append(boundary, 0, random.nextBoolean() ? boundary.length() : delimiter);
                body.append(random.nextBoolean() ? "\r\n" : random.nextBoolean() ? " \r\n" : "x");
            }
            byte[] bytes = body.toString().getBytes(ISO_8859_1);
            String byByte = scan(boundary, bytes, 1);
            assertEquals(byByte, scan(boundary, bytes, bytes.length), () -> boundary + " in " + body);
            assertEquals(
                    byByte, scan(boundary, bytes, 1 + random.nextInt(bytes.length)), () -> boundary + " in " + body);
        }
    }

    private static String letters(Random random, String of, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append(of.charAt(random.nextInt(of.length())));
        }
        return letters.toString();
    }

    /** The data of the parts, with a # for each delimiter. */
    private static String scan(String boundary, byte[] bytes, int pieceBytes) {
        BoundaryScanner scanner = new BoundaryScanner(boundary);
        StringBuilder found = new StringBuilder();
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + pieceBytes);
            while (from < to) {
                BoundaryScanner.Found what = scanner.scan(bytes, from, to);
                found.append(new String(scanner.carried(), ISO_8859_1));
                found.append(new String(bytes, from, Math.max(0, scanner.dataEnd() - from), ISO_8859_1));
                if (what != BoundaryScanner.Found.NOTHING) {
                    found.append(what == BoundaryScanner.Found.DELIMITER ? "#" : "##");
                }
                from = scanner.next();
            }
        }
        return found.toString();
    }
}
