package org.freshet.handler.codec.http.server.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.handler.codec.http.server.files.RequestPath.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "/, []",
                "/a, [a]",
                "/a/b.txt, `[a, b.txt]`",
                "/a/, [a]",
                "/a%20b+c, [a b+c]",
                "/%C3%A4%e2%82%ac, [ä€]",
                "/%2e%2e%2e, [...]",
                "/%252e%252e, [%2e%2e]", // decoded once
                "/a%252fb, [a%2fb]",
                "/.hidden, [.hidden]",
                "/CON, [CON]",
                "/a., [a.]",
                "/PROGRA~1, [PROGRA~1]",
            })
    void shouldDecodeEachNameOnce(String raw, String names) {
        RequestPath path = RequestPath.parse(raw, false);
        assertEquals(Verdict.ACCEPTED, path.verdict);
        assertEquals(names, path.names.toString());
        assertEquals(raw.endsWith("/"), path.ofDirectory);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/..",
                "/../etc/passwd",
                "/a/../../b",
                "/%2e%2e/etc/passwd",
                "/.%2e/x",
                "/%2E./x",
                "/a/%2e%2e",
                "/..%2f..%2fetc",
                "/%2fetc%2fpasswd",
                "/a%2Fb",
                "/a%5cb",
                "/..%5c..%5cwindows",
                "/a\\b",
                "/..\\x",
                "/a%00.txt",
                "/%00",
                "/a%0ab",
                "/a%0d%0aX:y",
                "/a%7f",
                "/%c2%85",
                "/c:/boot.ini",
                "/C%3a/boot.ini",
                "/c:secret",
                "/%c0%ae%c0%ae/etc",
                "/%c0%af",
                "/%e0%80%af",
                "/%f0%80%80%af",
                "/%ed%a0%80",
                "/%ff",
                "/%",
                "/%2",
                "/%zz",
                "/%u002e",
                "/a/%2",
                "/%%32%65"
            })
    void shouldRefuseWhatCouldLeadElsewhere(String raw) {
        assertEquals(Verdict.MALFORMED, RequestPath.parse(raw, false).verdict);
        assertEquals(Verdict.MALFORMED, RequestPath.parse(raw, true).verdict);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "//a", "/a//b", "/./a", "/a/.", "/a/./b", "/%2e/a"})
    void shouldFindNothingAtAPathThatIsNotInItsOnlyForm(String raw) {
        assertEquals(Verdict.NOWHERE, RequestPath.parse(raw, false).verdict);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a.", "/a%20", "/a%2e", "/web.config::$DATA", "/a:b", "/x/con", "/CON.txt", "/nul", "/aux.html",
                "/com1", "/COM9.log", "/lpt%C2%B9", "/PROGRA~1", "/a~2.htm", "/a*", "/a%3f", "/CONIN$", "/con%20.txt"
            })
    void shouldFindNothingAtANameWithAnotherMeaningOnWindows(String raw) {
        Verdict windows = RequestPath.parse(raw, true).verdict;
        assertTrue(windows == Verdict.NOWHERE || windows == Verdict.MALFORMED, raw + ": " + windows);
    }

    @ParameterizedTest
    @CsvSource({
        "/.well-known/x,false",
        "/.well-known/.x,true",
        "/a/.well-known,true",
        "/.well-known2,true",
        "/.git/config,true",
        "/a/.htaccess,true",
        "/%2egit,true",
        "/a.b/c,false",
        "/...,true"
    })
    void shouldTellHiddenNames(String raw, boolean hidden) {
        assertEquals(hidden, RequestPath.parse(raw, false).isHidden());
    }

    @ParameterizedTest
    @CsvSource({
        "/a?b=/c,/a,?b=/c",
        "/a,/a,''",
        "/a#f?x,/a,''",
        "/a?b#f,/a,?b",
        "http://h/a?b,/a,?b",
        "http://h,/,''",
        "http://h?b,/,?b",
        "https://h:1/,/,''",
        "*,'',''",
        "host:443,'',''"
    })
    void shouldFindPathAndQueryOfATarget(String target, String path, String query) {
        assertEquals(path, RequestPath.rawPath(target));
        assertEquals(query, RequestPath.rawQuery(target));
        assertFalse(RequestPath.parse("/x", false).isHidden());
    }
}
