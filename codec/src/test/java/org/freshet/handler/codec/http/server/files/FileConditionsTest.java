package org.freshet.handler.codec.http.server.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.files.FileConditions.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NOW, BEFORE and AFTER stand for the second of the last modification, the one before it and the one after it. */
class FileConditionsTest {
    private static final long SECOND = Instant.parse("2026-11-22T08:49:37Z").getEpochSecond();
    private static final FileVersion STRONG = new FileVersion("\"a-1\"", true, SECOND);
    private static final FileVersion WEAK = new FileVersion("W/\"a-1\"", false, SECOND);

    private static HttpHeaders headers(String lines) {
        HttpHeaders headers = new DefaultHttpHeaders();
        String dated = lines.replace("NOW", HttpDates.format(SECOND * 1000))
                .replace("BEFORE", HttpDates.format(SECOND * 1000 - 1000))
                .replace("AFTER", HttpDates.format(SECOND * 1000 + 1000));
        for (String line : dated.split(" ; ")) {
            if (!line.isBlank()) {
                headers.add(
                        line.substring(0, line.indexOf(':')).trim(),
                        line.substring(line.indexOf(':') + 1).trim());
            }
        }
        return headers;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // headers | with a strong tag | with a weak one
                "~~ | SEND | SEND",
                "If-None-Match: \"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: W/\"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: * | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: \"x\", \"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: \"x,\", W/\"y\" ,\"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: \"x\" ; If-None-Match: \"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-None-Match: \"x\" | SEND | SEND",
                "If-None-Match: a-1 | SEND | SEND",
                "If-None-Match: w/\"a-1\" | SEND | SEND",
                "If-None-Match: \"a-1 | SEND | SEND",
                "If-None-Match: \"x\"; \"a-1\" | SEND | SEND",
                "If-None-Match: \"A-1\" | SEND | SEND",
                "If-Modified-Since: NOW | NOT_MODIFIED | NOT_MODIFIED",
                "If-Modified-Since: AFTER | NOT_MODIFIED | NOT_MODIFIED",
                "If-Modified-Since: BEFORE | SEND | SEND",
                "If-Modified-Since: yesterday | SEND | SEND",
                "If-Modified-Since: Sunday, 22-Nov-26 08:49:37 GMT | NOT_MODIFIED | NOT_MODIFIED",
                "If-Modified-Since: Sun Nov 22 08:49:37 2026 | NOT_MODIFIED | NOT_MODIFIED",
                // If-None-Match overrides If-Modified-Since
                "If-None-Match: \"x\" ; If-Modified-Since: NOW | SEND | SEND",
                "If-None-Match: \"a-1\" ; If-Modified-Since: BEFORE | NOT_MODIFIED | NOT_MODIFIED",
                // If-Match compares strongly
                "If-Match: \"a-1\" | SEND | FAILED",
                "If-Match: \"x\", \"a-1\" | SEND | FAILED",
                "If-Match: W/\"a-1\" | FAILED | FAILED",
                "If-Match: * | SEND | SEND",
                "If-Match: \"x\" | FAILED | FAILED",
                "If-Match: junk | FAILED | FAILED",
                "If-Unmodified-Since: NOW | SEND | SEND",
                "If-Unmodified-Since: AFTER | SEND | SEND",
                "If-Unmodified-Since: BEFORE | FAILED | FAILED",
                "If-Unmodified-Since: junk | SEND | SEND",
                // If-Match overrides If-Unmodified-Since, and both take precedence over If-None-Match
                "If-Match: * ; If-Unmodified-Since: BEFORE | SEND | SEND",
                "If-Match: \"x\" ; If-None-Match: \"a-1\" | FAILED | FAILED",
                "If-Unmodified-Since: BEFORE ; If-None-Match: \"a-1\" | FAILED | FAILED",
                "If-Match: * ; If-None-Match: \"a-1\" | NOT_MODIFIED | NOT_MODIFIED",
                "If-Unmodified-Since: NOW ; If-Modified-Since: NOW | NOT_MODIFIED | NOT_MODIFIED",
            })
    void shouldEvaluateConditionsInOrder(String lines, Outcome strong, Outcome weak) {
        assertEquals(strong, FileConditions.evaluate(headers(lines), STRONG));
        assertEquals(weak, FileConditions.evaluate(headers(lines), WEAK));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | true | true",
                "If-Range: \"a-1\" | true | false",
                "If-Range: W/\"a-1\" | false | false",
                "If-Range: \"x\" | false | false",
                "If-Range: NOW | true | false",
                "If-Range: BEFORE | false | false",
                "If-Range: AFTER | false | false", // not a comparison of times, RFC 9110 13.1.5
                "If-Range: junk | false | false",
            })
    void shouldAnswerARangeOnlyIfTheVersionMatches(String lines, boolean strong, boolean weak) {
        assertEquals(strong, FileConditions.rangeApplies(headers(lines), STRONG));
        assertEquals(weak, FileConditions.rangeApplies(headers(lines), WEAK));
    }
}
