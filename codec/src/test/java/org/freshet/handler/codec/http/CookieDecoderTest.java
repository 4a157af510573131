package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The deprecated classes, which published software still uses, compared with Netty 3's. */
@SuppressWarnings("deprecation")
class CookieDecoderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1",
                "a=1; b=2",
                "a=1,b=2",
                "$Version=1; a=b; $Path=/x; $Domain=y; $Port=\"80,81\"; c=d; $Path=/z",
                "$Version=\"1\"; a=\"b\"",
                "a=1; Path=/; Domain=x.y; Max-Age=50; Secure; HttpOnly; Version=1; Comment=hi; CommentURL=\"http://u\"; Discard",
                "a=1; version=2; comment=x; commentURL=http://u; port=\"80,81\"; discard; max-age=5",
                "$Version=2; a=1; $Port=\"80\"; b=2",
                "a=1; version=2; port=\"80,x\"",
                "a=1; version=2; port=",
                "a",
                "a;b=1",
                "a=\"x\\\"y\\\\z\"",
                "a=x\"",
                "a='x'",
                "a= b ; c = d ;",
                "a=1;;b=2",
                "",
                "a=b; a=c",
                "a=x y",
                "a=\u00e9",
                "=1",
                "a=; b=",
                "foo=bar; Discard",
                "a=b,c",
                "path=/x",
                "Secure",
                "a=1; Domain=\"d\"",
                "$x=1",
                "a=1; $x=2",
                "a=1; comment=\"c;d\"",
                "a=\"x\" y; b=1",
                "a=\"x",
                "a=1; path=/x; path=/y",
                "a=1; b=2; path=/y; secure",
                "a=1; max-age=-4",
                "a=1 b=2",
                "$Version; a=1",
                "a=1;\tb=2",
                "a=1; expires=junk",
                "a = 1",
                "a=1; domain",
                "\"a\"=1",
                "a=\"\"",
                ",a=1",
                " ; a=1",
                "a=\"x\\",
                "a=1; max-age=7; expires=junk"
            })
    void shouldDecodeAsNetty3Does(String header) {
        for (boolean strict : new boolean[] {false, true}) {
            assertEquals(
                    describe3(new org.jboss.netty.handler.codec.http.CookieDecoder(strict).decode(header)),
                    describe(new CookieDecoder(strict).decode(header)),
                    () -> "strict " + strict + ": " + header);
        }
    }

    private static Set<String> describe(Set<Cookie> cookies) {
        Set<String> all = new TreeSet<>();
        cookies.forEach(c ->
                all.add(String.join("|", c.getName(), c.getValue(), "" + c.getVersion(), c.getDomain(), c.getPath())
                        + c.getMaxAge()
                        + c.isSecure()
                        + c.isHttpOnly()
                        + c.getComment()
                        + c.getCommentUrl()
                        + c.getPorts()
                        + c.isDiscard()));
        return all;
    }

    private static Set<String> describe3(Set<org.jboss.netty.handler.codec.http.Cookie> cookies) {
        Set<String> all = new TreeSet<>();
        cookies.forEach(c ->
                all.add(String.join("|", c.getName(), c.getValue(), "" + c.getVersion(), c.getDomain(), c.getPath())
                        + c.getMaxAge()
                        + c.isSecure()
                        + c.isHttpOnly()
                        + c.getComment()
                        + c.getCommentUrl()
                        + c.getPorts()
                        + c.isDiscard()));
        return all;
    }

    /**
     * For these, Netty 3 throws NumberFormatException or IllegalArgumentException, and loses all cookies of the header.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1; max-age=x; b=2",
                "a=1; version=x; b=2",
                "a=1; version=2; port=\"99999\"; b=2",
                "a=1; path=\"/a;b\"; b=2",
                "a=1; c d=3; b=2",
                "a=1; \u00e9=3; b=2",
                "a=1; =3; b=2"
            })
    void shouldOmitOnlyMalformedParts(String header) {
        List<String> names =
                new CookieDecoder().decode(header).stream().map(Cookie::getName).toList();
        assertEquals(List.of("a", "b"), names);
    }

    /** Netty 3's strict decoder loses all cookies from that point on. */
    @Test
    void shouldOmitOnlyCookiesThatAreTooLaxForTheStrictDecoder() {
        assertEquals(2, new CookieDecoder().decode("a=\"x;y\"; b=2").size());
        assertEquals(1, new CookieDecoder(true).decode("a=\"x;y\"; b=2").size());
    }

    @Test
    void shouldEncodeOneCookieAtATimeForAServer() {
        CookieEncoder encoder = new CookieEncoder(true, true);
        assertThrows(IllegalStateException.class, encoder::encode);
        encoder.addCookie("a", "b");
        assertEquals("a=b", encoder.encode());
        encoder.addCookie("c", "d");
        assertEquals("c=d", encoder.encode());
        encoder.addCookie("a", "b");
        encoder.addCookie("c", "d");
        assertThrows(IllegalStateException.class, encoder::encode);
    }

    /** Netty 3 throws for all but the first. */
    @ParameterizedTest
    @CsvSource({"a=1; max-age=5; max-age=6,6", "a=1; max-age=5; max-age=x,5", "a=1; version=2; version=x,-2147483648"})
    void shouldKeepANumberIfAnotherIsMalformed(String header, int maxAge) {
        Cookie cookie = new CookieDecoder().decode(header).iterator().next();
        assertEquals(maxAge, cookie.getMaxAge());
        assertEquals(header.contains("version") ? 2 : 0, cookie.getVersion());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\u0001", "x\u001f", "x\u007f", "x;y", "\n"})
    void shouldOmitAnAttributeThatCannotBeSent(String value) {
        String header = "a=1; version=2; path=\"" + value + "\"; domain=\"" + value + "\"; comment=\"" + value
                + "\"; commentURL=\"" + value + "\"";
        Cookie cookie = new CookieDecoder().decode(header).iterator().next();
        assertNull(cookie.getPath());
        assertNull(cookie.getDomain());
        assertNull(cookie.getComment());
        assertNull(cookie.getCommentUrl());
    }

    @Test
    void shouldKeepAnAttributeWithTabsAndBlanks() {
        Cookie cookie =
                new CookieDecoder().decode("a=1; path=\"x\ty z~\"").iterator().next();
        assertEquals("x\ty z~", cookie.getPath());
    }

    @ParameterizedTest
    @CsvSource({"'Thu, 01 Jan 1970 00:00:10 GMT',false", "'Fri, 31 Dec 9999 23:59:59 GMT',true"})
    void shouldReadTheAgeFromADate(String date, boolean isFuture) {
        Cookie cookie =
                new CookieDecoder().decode("a=1; expires=" + date).iterator().next();
        assertEquals(isFuture, cookie.getMaxAge() > 0);
        assertTrue(cookie.getMaxAge() >= 0);
    }

    @ParameterizedTest
    @CsvSource({"'0,80','[80]'", "'65535, 1','[1, 65535]'", "'65536,x,-1,,443','[443]'", "'','[]'"})
    void shouldOmitPortsThatCannotBe(String list, String ports) {
        Cookie cookie = new CookieDecoder()
                .decode("a=1; version=2; port=\"" + list + "\"")
                .iterator()
                .next();
        assertEquals(ports, cookie.getPorts().toString());
    }

    @Test
    void shouldEncodeAttributesForAClientOnly() {
        Cookie cookie = new DefaultCookie("a", "b");
        cookie.setPath("/x");
        for (boolean strict : new boolean[] {true, false}) {
            CookieEncoder server = new CookieEncoder(true, strict);
            server.addCookie(cookie);
            assertEquals("a=b; Path=/x", server.encode());
            CookieEncoder client = new CookieEncoder(false, strict);
            client.addCookie(cookie);
            assertEquals("a=b", client.encode());
        }
    }

    @Test
    void shouldRefuseNoHeader() {
        assertThrows(NullPointerException.class, () -> new CookieDecoder().decode(null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseWhatRfc6265ForbidsOnlyIfStrict(boolean server) {
        CookieEncoder lax = new CookieEncoder(server);
        lax.addCookie("a", "b c");
        assertEquals("a=b c", lax.encode());
        CookieEncoder strict = new CookieEncoder(server, true);
        strict.addCookie("a", "b c");
        assertThrows(IllegalArgumentException.class, strict::encode);
        strict.addCookie("d", "e");
        assertEquals("d=e", strict.encode());
    }

    @Test
    void shouldEncodeAllCookiesOfAClient() {
        CookieEncoder encoder = new CookieEncoder(false);
        assertNull(encoder.encode());
        encoder.addCookie("a", "b c");
        encoder.addCookie("c", "d");
        assertEquals("a=b c; c=d", encoder.encode());
        assertNull(encoder.encode());
    }

    @Test
    void shouldKeepTheAttributesThatNoLongerExist() {
        DefaultCookie cookie = new DefaultCookie("a", "1");
        assertEquals(0, cookie.version());
        assertNull(cookie.comment());
        assertNull(cookie.commentUrl());
        assertFalse(cookie.isDiscard());
        assertEquals(Set.of(), cookie.ports());

        cookie.setVersion(2);
        cookie.setComment(" c ");
        cookie.setCommentUrl("u");
        cookie.setDiscard(true);
        cookie.setPorts(List.of(65535, 1));
        assertEquals(2, cookie.version());
        assertEquals("c", cookie.comment());
        assertEquals("u", cookie.commentUrl());
        assertTrue(cookie.isDiscard());
        assertEquals(List.of(1, 65535), List.copyOf(cookie.ports()));
        assertThrows(IllegalArgumentException.class, () -> cookie.setComment("a;b"));
        assertThrows(IllegalArgumentException.class, () -> cookie.setCommentUrl("a;b"));
        assertThrows(IllegalArgumentException.class, () -> cookie.setPorts(65536));
    }

    @Test
    void shouldRefuseInvalidPorts() {
        DefaultCookie cookie = new DefaultCookie("a", "1");
        assertThrows(IllegalArgumentException.class, () -> cookie.setPorts(80, 0));
        assertThrows(IllegalArgumentException.class, () -> cookie.setPorts(List.of(70_000)));
        cookie.setPorts(443, 80, 80);
        assertEquals("[80, 443]", cookie.getPorts().toString());
        assertThrows(
                UnsupportedOperationException.class, () -> cookie.getPorts().clear());
    }
}
