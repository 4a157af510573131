package org.freshet.handler.codec.http.server.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
    private static final RequestFunction ANY = request -> HttpResponses.noContent();

    private static RoutedRequest request(String method, String target) {
        return new RoutedRequest(
                null, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target), null);
    }

    private static Router router(String... routes) {
        Router.Builder builder = Router.builder();
        for (String route : routes) {
            String[] parts = route.split(" ");
            builder.on(HttpMethod.valueOf(parts[0]), parts[1], ANY);
        }
        return builder.build();
    }

    /** Returns the chosen template, or the status. */
    private static String choice(Router router, String method, String target) {
        try {
            return String.valueOf(router.route(request(method, target)));
        } catch (HttpStatusException e) {
            return e.suggestedStatus().getCode() + (e.allow() == null ? "" : " " + e.allow());
        }
    }

    // ---- choosing a route ----

    @ParameterizedTest
    @CsvSource({
        "/, GET /",
        "/users, GET /users",
        "/users/, GET /users/",
        "/users/7, GET /users/{id}",
        "/users/me, GET /users/me",
        "/users/me/posts, GET /users/me/posts",
        "/users/me/photos, GET /users/{id}/photos",
        "/users/7/photos, GET /users/{id}/photos",
        "/users/7/posts, 404",
        "/users/7/photos/, 404",
        "/files/, GET /files/{rest*}",
        "/files/a, GET /files/{rest*}",
        "/files/a/b, GET /files/{rest*}",
        "/files/list/2026, GET /files/list/{year}",
        "/files/list/2026/5, GET /files/{rest*}",
        "/files, 404",
        "/Users, 404",
        "/%75sers, GET /users",
        "/users?a=/b, GET /users",
        "/users?/7/photos, GET /users",
        "/users/7%3F/photos, GET /users/{id}/photos",
        "/users/7?x/photos, GET /users/{id}",
        "/gr%C3%B6%C3%9Fe, GET /größe",
    })
    void shouldChooseTheMostSpecificTemplate(String target, String expected) {
        Router router = router(
                "GET /",
                "GET /users",
                "GET /users/",
                "GET /users/{id}",
                "GET /users/me",
                "GET /users/me/posts",
                "GET /users/{id}/photos",
                "GET /files/{rest*}",
                "GET /files/list/{year}",
                "GET /größe");
        assertEquals(expected, choice(router, "GET", target));
    }

    @Test
    void shouldChooseTheSameInAnyOrderOfAdding() {
        String[] routes = {"GET /{rest*}", "GET /{a}/{b}", "GET /x/{b}", "GET /x/y"};
        String[] backwards = {"GET /x/y", "GET /x/{b}", "GET /{a}/{b}", "GET /{rest*}"};
        for (String target : new String[] {"/x/y", "/x/z", "/z/y", "/x", "/x/y/z"}) {
            assertEquals(choice(router(routes), "GET", target), choice(router(backwards), "GET", target));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/users/7, GET /users/{id}",
        "HTTPS://a:443/users/7?b=c, GET /users/{id}",
        "http://a, GET /",
        "http://a?b=/users/7, GET /",
        "http://a/users/7/, 404",
    })
    void shouldUseThePathOfAnAbsoluteTarget(String target, String expected) {
        assertEquals(expected, choice(router("GET /", "GET /users/{id}"), "GET", target));
    }

    @Test
    void shouldListTheMethodsOfAPath() {
        Router router = router("GET /a/{b}", "PUT /a/{c}", "DELETE /a/{rest*}", "POST /other");
        assertEquals("405 DELETE, GET, HEAD, OPTIONS, PUT", choice(router, "POST", "/a/x"));
        assertEquals("405 DELETE, OPTIONS", choice(router, "POST", "/a/x/y"));
        assertEquals("405 OPTIONS, POST", choice(router, "HEAD", "/other"));
        assertEquals("404", choice(router, "POST", "/b"));
        assertEquals("405 DELETE, GET, HEAD, OPTIONS, PUT", choice(router, "get", "/a/x"));
    }

    @Test
    void shouldFindALessSpecificTemplateThatHasTheMethod() {
        Router router = router("GET /users/me", "DELETE /users/{id}");
        assertEquals("DELETE /users/{id}", choice(router, "DELETE", "/users/me"));
    }

    @Test
    void shouldAnswerHeadWithGetUnlessItHasARoute() {
        Router router = router("GET /a", "GET /b/{c}", "HEAD /b/{c}");
        assertEquals("GET /a", choice(router, "HEAD", "/a"));
        assertEquals("HEAD /b/{c}", choice(router, "HEAD", "/b/x"));
    }

    @Test
    void shouldAnswerOptionsUnlessTheyHaveARoute() throws Exception {
        Router router = router("GET /a", "OPTIONS /b");
        assertEquals("GET, HEAD, OPTIONS", options(router, "/a"));
        assertEquals("GET, HEAD, OPTIONS", options(router, "*"));
        assertEquals("OPTIONS /b", choice(router, "OPTIONS", "/b"));
        assertEquals("404", choice(router, "OPTIONS", "/c"));
    }

    private static String options(Router router, String target) throws Exception {
        RoutedRequest request = request("OPTIONS", target);
        HttpResponse response = router.route(request).function().apply(request);
        assertEquals(204, response.getStatus().getCode());
        return response.headers().get("Allow");
    }

    @Test
    void shouldNotRouteARequestWithoutAPath() {
        Router router = router("GET /{rest*}");
        assertEquals("405 GET, HEAD, OPTIONS", choice(router, "CONNECT", "a:443"));
        assertEquals("405 GET, HEAD, OPTIONS", choice(router, "GET", "*"));
        assertEquals("400", choice(router, "GET", "a/b"));
    }

    // ---- hostile paths ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/files/..",
                "/files/../etc/passwd",
                "/files/%2e%2e",
                "/files/%2E./x",
                "/files/.",
                "/files/%2e/x",
                "/files/%00",
                "/files/a%0d%0ab",
                "/files/%7f",
                "/files/a%2fb",
                "/files/..%2f..%2fetc",
                "/files/a%5cb",
                "/files/a\\b",
                "/files/%",
                "/files/%4",
                "/files/%zz",
                "/files/%%",
                "/files/%u0041",
                "/files/%c0%ae%c0%ae",
                "/files/%ff",
                "/nowhere/%",
                "/nowhere/..",
            })
    void shouldRefuseAPathThatCouldMeanAnother(String target) {
        assertEquals("400", choice(router("GET /files/{rest*}", "GET /{a}", "GET /"), "GET", target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "//files/a", "/files//", "/files//etc/passwd", "/files/a//b", "/one//", "/one//two"})
    void shouldNotMatchEmptySegments(String target) {
        assertEquals("404", choice(router("GET /files/{rest*}", "GET /one/{a}/{b}", "GET /one/{a}"), "GET", target));
    }

    @Test
    void shouldHandlePathsOfAnyLength() {
        Router router = router("GET /{a}/{b}/{c}", "GET /{a}/{b}/c", "GET /{a}/{rest*}", "GET /a/b/{c}/{rest*}");
        assertEquals("GET /a/b/{c}/{rest*}", choice(router, "GET", "/a" + "/b".repeat(100_000)));
        assertEquals("GET /{a}/{rest*}", choice(router, "GET", "/b".repeat(100_000)));
        assertEquals("404", choice(router, "GET", "/".repeat(100_000)));
        assertEquals("400", choice(router, "GET", "/a/" + "%25".repeat(100_000) + "%"));
        assertEquals("GET /{a}/{rest*}", choice(router, "GET", "/a/" + "%c3%a4".repeat(100_000)));
    }

    // ---- parameters ----

    @Test
    void shouldDecodeParametersOnce() {
        Router router = router("GET /{a}/b/{c}/{d*}");
        RoutedRequest request = request("GET", "/x%20y/b/%252e%252e/1/%E2%82%AC+/");
        router.route(request);
        assertEquals("x y", request.pathParameter("a"));
        assertEquals("%2e%2e", request.pathParameter("c"));
        assertEquals("1/\u20ac+/", request.pathParameter("d"));
        assertEquals("/x%20y/b/%252e%252e/1/%E2%82%AC+/", request.path());
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> request.pathParameter("e"));
        assertTrue(e.getMessage().endsWith(": e"), e.getMessage());
    }

    @Test
    void shouldAnswer400ToAParameterThatDoesNotParse() {
        Router router = router("GET /{id}");
        RoutedRequest number = request("GET", "/17");
        router.route(number);
        int id = number.pathParameter("id", Integer::valueOf);
        assertEquals(17, id);
        RoutedRequest text = request("GET", "/x");
        router.route(text);
        HttpStatusException e =
                assertThrows(HttpStatusException.class, () -> text.pathParameter("id", Integer::valueOf));
        assertEquals(400, e.suggestedStatus().getCode());
    }

    // ---- building ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users | doesn't begin with a slash: users",
                "'' | doesn't begin with a slash: ",
                "/a//b | has an empty segment: /a//b",
                "// | has an empty segment: //",
                "/{a}x | has braces that don't enclose a whole segment: {a}x: /{a}x",
                "/a{ | has braces that don't enclose a whole segment: a{: /a{",
                "/{} | has a parameter name with characters other than letters, digits, '_' and '-': {}: /{}",
                "/{a b} | has a parameter name with characters other than letters, digits, '_' and '-': {a b}: /{a b}",
                "/{a**} | has a parameter name with characters other than letters, digits, '_' and '-': {a**}: /{a**}",
                "/{a*}/b | has a wildcard before its end: {a*}: /{a*}/b",
                "/{a}/{a} | has two parameters named a: /{a}/{a}",
                "/{a}/{a*} | has two parameters named a: /{a}/{a*}",
                "/%20 | has a segment that no decoded path can have, or that looks like a query or a wildcard: %20: /%20",
                "/a?b | has a segment that no decoded path can have, or that looks like a query or a wildcard: a?b: /a?b",
                "/* | has a segment that no decoded path can have, or that looks like a query or a wildcard: *: /*",
                "/.. | has a segment that no decoded path can have, or that looks like a query or a wildcard: ..: /..",
            })
    void shouldRefuseAMalformedTemplate(String template, String problem) {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Router.builder().get(template, ANY));
        assertEquals("path template " + problem.strip(), e.getMessage().strip());
    }

    @ParameterizedTest
    @CsvSource({
        "/a, /a, matches the same paths",
        "/{a}, /{b}, matches the same paths",
        "/a/{b*}, /a/{c*}, matches the same paths",
        "/{a}/x, /b/{c}, 'also matches /b/x, and neither is more specific'",
        "/{a}/x/y, /b/{c*}, 'also matches /b/x/y, and neither is more specific'",
        "/b/{c*}, /{a}/x/y, 'also matches /b/x/y, and neither is more specific'",
        "/{a}/{b*}, /c/{d}, ''",
        "/{a}, /b, ''",
        "/{a}/, /b/{c}, ''",
        "/{a}/x, /b/{c}/d, ''",
        "/{a}/x, /b/y, ''",
        "/files/, /files/{rest*}, ''",
        "/files, /files/{rest*}, ''",
        "/{a*}, /{b}, ''",
    })
    void shouldRefuseAmbiguousRoutes(String first, String second, String problem) {
        Router.Builder builder = Router.builder().get(first, ANY);
        if (problem.isEmpty()) {
            builder.get(second, ANY).build();
            return;
        }
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> builder.get(second, ANY));
        assertEquals("cannot add GET " + second + ": GET " + first + " " + problem, e.getMessage());
        builder.post(second, ANY); // the same path with another method is allowed
    }

    @Test
    void shouldRefuseRoutesThatNeverMatch() {
        assertThrows(IllegalStateException.class, () -> Router.builder().build());
        assertThrows(IllegalArgumentException.class, () -> Router.builder().on(HttpMethod.CONNECT, "/", ANY));
        assertThrows(NullPointerException.class, () -> Router.builder().get("/", null));
        assertThrows(NullPointerException.class, () -> Router.builder().async(HttpMethod.GET, "/", null));
        assertThrows(NullPointerException.class, () -> Router.builder().on(null, "/", ANY));
    }

    /** A router does not change with its builder once built. */
    @Test
    void shouldNotChangeOnceBuilt() {
        Router.Builder builder = Router.builder().get("/a", ANY);
        Router router = builder.build();
        builder.get("/b", ANY);
        assertEquals("404", choice(router, "GET", "/b"));
        assertEquals("GET /b", choice(builder.build(), "GET", "/b"));
    }
}
