package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryStringTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "?", "/", "/?", "?=a", "/foo?a=b&c=d", "/foo?a&b=&=c&d", "/foo?a=b;c=d", "/foo?a=b?c",
                        "/foo?a=%41+b",
                "/a%20b+c?x", "http://h/p?q=1#f", "/foo?a=1&a=2", "/?&&", "?a", "a=b", "a=b&c", "/foo#frag?x=y",
                        "%2?a=b", "/?a=1&&b=2;;",
                "/?a==b", "/?a=b=c", "/?==a", "/?=", "/?=&=", "/?a=%%", "/?%3D=%26", "/?caf%C3%A9=%E2%82%AC"
            })
    void shouldSplitATargetAsNetty3Does(String uri) {
        assertSameAsNetty3(uri, true);
        assertSameAsNetty3(uri, false);
    }

    @Test
    void shouldSplitAnyTargetAsNetty3Does() {
        Random random = Seeds.random();
        for (int i = 0; i < 3000; i++) {
            StringBuilder uri = new StringBuilder("/?");
            for (int length = random.nextInt(12); length > 0; length--) {
                uri.append(new String[] {"a", "b", "=", "&", ";", "%41", "+", "?"}[random.nextInt(8)]);
            }
            assertSameAsNetty3(uri.toString(), true);
        }
    }

    private static void assertSameAsNetty3(String uri, boolean hasPath) {
        org.jboss.netty.handler.codec.http.QueryStringDecoder theirs =
                new org.jboss.netty.handler.codec.http.QueryStringDecoder(uri, hasPath);
        Map<String, List<String>> expected;
        try {
            expected = theirs.getParameters();
        } catch (IllegalArgumentException e) {
            assertThrows(IllegalArgumentException.class, () -> new QueryStringDecoder(uri, hasPath).getParameters());
            return;
        }
        QueryStringDecoder ours = new QueryStringDecoder(uri, hasPath);
        assertEquals(theirs.getPath(), ours.getPath(), uri);
        assertEquals(expected, ours.getParameters(), uri);
        assertEquals(
                List.copyOf(expected.keySet()), List.copyOf(ours.getParameters().keySet()), uri);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?a=%", "/?a=%4", "/?%zz", "/?a=%4g&b=c"})
    void shouldRefuseAnInvalidEscape(String uri) {
        QueryStringDecoder decoder = new QueryStringDecoder(uri);
        assertEquals("/", decoder.getPath());
        assertThrows(IllegalArgumentException.class, decoder::getParameters);
    }

    @Test
    void shouldUsePathAndQueryOfAUri() {
        QueryStringDecoder decoder = new QueryStringDecoder(URI.create("http://h/a%20b?x=%20y#z"));
        assertEquals("/a%20b", decoder.getPath());
        assertEquals(Map.of("x", List.of(" y")), decoder.getParameters());
        assertEquals(Map.of(), new QueryStringDecoder(URI.create("http://h")).getParameters());
    }

    @Test
    void shouldReturnPathAndQueryAsSent() {
        assertRaw("/a%20b?x=%20y&+", "/a%20b", "x=%20y&+");
        assertRaw("/a", "/a", "");
        assertRaw("http://h:80/a?b?c", "/a", "b?c");
        assertRaw("http://h", "/", "");
        assertRaw("http://h?x", "/", "x");
        assertRaw("*", "*", "");
        assertRaw("//h/a?x", "//h/a", "x");
        assertRaw("/a://b/c", "/a://b/c", "");
        assertEquals("a=b?c", new QueryStringDecoder("a=b?c", false).rawQuery());
        assertEquals("", new QueryStringDecoder("a=b?c", false).rawPath());
        assertEquals("/a%20b", new QueryStringDecoder(URI.create("http://h/a%20b?x#z")).rawPath());
    }

    private static void assertRaw(String uri, String path, String query) {
        assertEquals(path, new QueryStringDecoder(uri).rawPath(), uri);
        assertEquals(query, new QueryStringDecoder(uri).rawQuery(), uri);
    }

    @Test
    void shouldTreatASemicolonAsAnyOtherCharacterIfConfigured() {
        QueryStringDecoder decoder = new QueryStringDecoder("/?a=1;b=2&c;=;");
        assertEquals(Map.of("a", List.of("1"), "b", List.of("2"), "c", List.of("")), decoder.getParameters());
        assertEquals(
                Map.of("a", List.of("1;b=2"), "c;", List.of(";")),
                decoder.semicolonIsSeparator(false).getParameters());
    }

    @Test
    void shouldReturnParametersOneAfterTheOther() {
        List<String> seen = new ArrayList<>();
        new QueryStringDecoder("/?b=1&a=2&b=%33&c", StandardCharsets.UTF_8, true, 3)
                .forEachParameter((name, value) -> seen.add(name + "=" + value));
        assertEquals(List.of("b=1", "a=2", "b=3"), seen);

        seen.clear();
        QueryStringDecoder malformed = new QueryStringDecoder("/?a=1&b=%");
        assertThrows(
                IllegalArgumentException.class,
                () -> malformed.forEachParameter((name, value) -> seen.add(name + "=" + value)));
        assertEquals(List.of("a=1"), seen);
        new QueryStringDecoder("/").forEachParameter((name, value) -> seen.add(name));
        assertEquals(List.of("a=1"), seen);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /a, h:1, h:1",
        "GET, http://t:2/a, h:1, t:2",
        "GET, http://t?a, h, t",
        "GET, /a?u=http://t/, h, h",
        "GET, /a, '',",
        "GET, /a, ,",
        "GET, http://t/, , t",
        "OPTIONS, *, h, h",
        "CONNECT, t:443, h, t:443",
    })
    void shouldTellTheHostThatARequestIsFor(String method, String target, String host, String authority) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target);
        if (host != null) {
            request.headers().set("Host", host);
        }
        assertEquals(authority, HttpRequests.authority(request));
    }

    @Test
    void shouldIgnoreParametersBeyondALimit() {
        StringBuilder uri = new StringBuilder("/?");
        for (int i = 0; i < 2000; i++) {
            uri.append('a').append(i).append("=b&");
        }
        assertEquals(
                1024, new QueryStringDecoder(uri.toString()).getParameters().size());
        assertEquals(
                2,
                new QueryStringDecoder("/?a=1&a=2&a=3", StandardCharsets.UTF_8, true, 2)
                        .getParameters()
                        .get("a")
                        .size());
        assertThrows(
                IllegalArgumentException.class, () -> new QueryStringDecoder("/", StandardCharsets.UTF_8, true, 0));
    }

    @Test
    void shouldNotCountParametersWithoutNameAndValue() {
        QueryStringDecoder decoder = new QueryStringDecoder("/?&&=&==&a=1&b=2", StandardCharsets.UTF_8, true, 1);
        assertEquals(Map.of("a", List.of("1")), decoder.getParameters());
    }

    @Test
    void shouldDecodeParametersOnce() {
        QueryStringDecoder decoder = new QueryStringDecoder("/?a=1");
        assertSame(decoder.getParameters(), decoder.getParameters());
    }

    @Test
    void shouldDecodeAComponent() {
        assertEquals("a b c", QueryStringDecoder.decodeComponent("a+b%20c"));
        assertEquals("", QueryStringDecoder.decodeComponent(null));
        assertEquals("\u00e9", QueryStringDecoder.decodeComponent("%E9", StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldEncodeAsNetty3Does() throws Exception {
        QueryStringEncoder ours = new QueryStringEncoder("/x");
        org.jboss.netty.handler.codec.http.QueryStringEncoder theirs =
                new org.jboss.netty.handler.codec.http.QueryStringEncoder("/x");
        assertEquals(theirs.toString(), ours.toString());
        for (String value : List.of("c/&=+*~\u20ac", "", "a b", "%", "\u0000", "-._~!$'(),")) {
            ours.addParam("n " + value, value);
            theirs.addParam("n " + value, value);
        }
        assertEquals(theirs.toString(), ours.toString());
        assertEquals(theirs.toUri(), ours.toUri());
        assertThrows(NullPointerException.class, () -> ours.addParam("a", null));
    }
}
