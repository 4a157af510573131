package org.freshet.handler.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HeaderMaskTest {
    private static final String HEAD = "GET /cookie: HTTP/1.1\r\nHost: a\r\nCoOkie: a=b; c=d\r\n\tfolded\r\n folded\r\n"
            + "X-Cookie: kept\r\nCookie \t: a\r\nCookie a: kept\r\nauthorization:Basic x\r\nAuthorizations: kept\r\nAuthorization\r\n\r\nbody: kept";
    private static final String MASKED =
            "GET /cookie: HTTP/1.1\r\nHost: a\r\nCoOkie: **** ***\r\n\t******\r\n ******\r\n"
                    + "X-Cookie: kept\r\nCookie \t: *\r\nCookie a: kept\r\nauthorization:***** *\r\nAuthorizations: kept\r\nAuthorization\r\n\r\nbody: kept";

    private static HeaderMask mask(String... names) {
        return new HeaderMask(
                Stream.of(names).map(name -> name.getBytes(ISO_8859_1)).toArray(byte[][]::new));
    }

    private static HeaderMask mask() {
        return mask("authorization", "cookie");
    }

    private static String masked(HeaderMask mask, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        mask.apply(bytes, 0, bytes.length);
        return new String(bytes, ISO_8859_1);
    }

    @Test
    void shouldOverwriteOnlyValuesOfTheNamedHeaders() {
        assertEquals(MASKED, masked(mask(), HEAD));
    }

    @Test
    void shouldMaskHoweverTheTextIsSplit() {
        for (int i = 0; i <= HEAD.length(); i++) {
            for (int j = i; j <= HEAD.length(); j++) {
                HeaderMask mask = mask();
                String result = masked(mask, HEAD.substring(0, i))
                        + masked(mask, HEAD.substring(i, j))
                        + masked(mask, HEAD.substring(j));
                assertEquals(MASKED, result, "cut at " + i + " and " + j);
            }
        }
    }

    @Test
    void shouldTellNamesApartThatBeginAlike() {
        HeaderMask mask = mask("x", "x-a", "x-ab", "x-b");
        assertEquals(
                "x:*\nx-:1\nX-A:*\nx-ab:*\nx-abc:1\nx-b:*\ny:1\n",
                masked(mask, "x:1\nx-:1\nX-A:1\nx-ab:1\nx-abc:1\nx-b:1\ny:1\n"));
    }

    @Test
    void shouldOverwriteOnlyItsPartOfABuffer() {
        byte[] bytes = "x:1x:1x:1".getBytes(ISO_8859_1);
        mask("x").apply(bytes, 3, 6);
        assertEquals("x:1x:*x:1", new String(bytes, ISO_8859_1));
    }

    @Test
    void shouldOverwriteNothingWithoutNames() {
        assertEquals(HEAD, masked(mask(new String[0]), HEAD));
    }

    @Test
    void shouldWaitForTheNextLineAfterAGap() {
        HeaderMask mask = mask();
        mask.onGap();
        assertEquals("cookie: kept\ncookie: *", masked(mask, "cookie: kept\ncookie: x"));
    }

    @Test
    void shouldKeepOverwritingAValueThatHasAGap() {
        HeaderMask mask = mask();
        assertEquals("Cookie: *", masked(mask, "Cookie: a"));
        mask.onGap();
        assertEquals("**\nHost: b", masked(mask, "cd\nHost: b"));
    }

    @Test
    void shouldFindTheNextLineAfterContentOfAnyLength() {
        for (int length = 0; length < 40; length++) {
            String content = ": " + "\u008a\u000b".repeat(length) + "x".repeat(length % 3) + "\n";
            assertEquals(content + "cookie:*\n", masked(mask(), content + "cookie:x\n"), "after " + length);
        }
    }

    @Test
    void shouldNeverChangeLengths() {
        byte[] bytes = new byte[10_000];
        Arrays.fill(bytes, (byte) ':');
        mask().apply(bytes, 0, bytes.length);
        assertEquals(":".repeat(10_000), new String(bytes, ISO_8859_1));
    }
}
