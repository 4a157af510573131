package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A head is parsed, or refused, for what it contains, however it arrives and wherever it's moved meanwhile. */
class HeadParserTest {
    private static final HeadRules REQUESTS = HttpLimits.standard().headRules(true, true);
    private static final HeadRules RESPONSES = HttpLimits.standard().headRules(false, true);
    private static final HttpLimits LAX = HttpLimits.netty3();

    private enum Section {
        HEAD,
        TRAILER
    }

    /** The same in pieces of any size: what was parsed and what follows it, why it was refused, or "more". */
    private static String parse(HeadRules rules, String input) {
        return parse(Section.HEAD, rules, input);
    }

    private static String parse(Section section, HeadRules rules, String input) {
        String whole = parse(section, rules, input, input.length());
        for (int piece : new int[] {1, 2, 5, 17}) {
            assertEquals(whole, parse(section, rules, input, piece), () -> input + " in pieces of " + piece);
        }
        return whole;
    }

    private static String parse(Section section, HeadRules rules, String input, int piece) {
        HeadParser parser = new HeadParser(rules);
        if (section == Section.HEAD) {
            parser.startHead();
        } else {
            parser.startTrailer();
        }
        try {
            int arrived = 0;
            while (arrived < input.length()) {
                arrived = Math.min(arrived + piece, input.length());
                int start = arrived % 4;
                byte[] array = new byte[start + arrived + 3];
                Arrays.fill(array, (byte) '\n'); // must not be looked at
                System.arraycopy(input.getBytes(ISO_8859_1), 0, array, start, arrived);
                int length = parser.parse(array, start, start + arrived);
                if (length >= 0) {
                    return parsed(section, parser, array, start) + "|" + input.substring(length);
                }
            }
            return "more";
        } catch (MalformedHttpMessageException | TooLongHttpMessageException e) {
            return e.getMessage() + ", " + ((HttpFailure) e).suggestedStatus().getCode();
        }
    }

    private static String parsed(Section section, HeadParser parser, byte[] array, int start) {
        if (section == Section.TRAILER) {
            return parser.takeTrailer(array, start).trailingHeaders().entries().toString();
        }
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        parser.moveTo(headers, array, start, start % 2 == 0);
        StartLine line = parser.startLine;
        return line.first + " " + line.second + " " + line.third + " " + headers.entries();
    }

    private static String unescaped(String text) {
        return text.translateEscapes();
    }

    // ---- start lines ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` / HTTP/1.1`|an empty method, 400",
                "GET\\r\\n|byte 0x0d after the method in the start line, 400",
                "G(T / HTTP/1.1|'(' after the method in the start line, 400",
                "GET\\t/ HTTP/1.1|byte 0x09 after the method in the start line, 400",
                "GET  / HTTP/1.1|`two blanks, or no target, where the target should be, 400`",
                "GET /\\r\\n|byte 0x0d after the target in the start line, 400",
                "GET /a\\tHTTP/1.1|byte 0x09 after the target in the start line, 400",
                "GET /\\0 HTTP/1.1|byte 0x00 after the target in the start line, 400",
                "GET /\\344 HTTP/1.1\\r|a non-ASCII byte in the target, 400",
                "GET * HTTP/1.1\\r|the target * with another method than OPTIONS, 400",
                "GET x HTTP/1.1\\r|`a target that is neither a path nor absolute, 400`",
                "CONNECT /x HTTP/1.1\\r|CONNECT without a host and a port, 400",
                "GET / HTTP/1\\r|a version that is not HTTP/1.x, 400",
                "GET / HTTP/x.1\\r|a version that is not HTTP/1.x, 400",
                "GET / HTTP/1.x\\r|a version that is not HTTP/1.x, 400",
                "GET / HTTP/1,1\\r|a version that is not HTTP/1.x, 400",
                "GET / HTTP/1.10\\r|a version that is not HTTP/1.x, 400",
                "GET / http/1.1\\r|a version that is not HTTP/1.x, 400",
                "GET / HTTP/2.0\\r|`a version that is not HTTP/1.x: HTTP/2.0, 505`",
                "GET / HTTP/1.1 \\r\\n|byte 0x20 at the end of the start line, 400",
                "GET / HTTP/1.1x\\n|a version that is not HTTP/1.x, 400",
                "GET / HTTP/1.1\\rX|a CR without LF in the start line, 400",
                "GET / HTTP/1.1\\n\\n|an LF without CR in the start line, 400",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|a method longer than 32 bytes, 501",
            })
    void shouldRefuseARequestLine(String line, String problem) {
        assertEquals(problem, parse(REQUESTS, unescaped(line)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` 200 OK`|an empty version, 502",
                "GET 200 OK|a version that is not HTTP/1.x, 502",
                "POST 200 OK|a version that is not HTTP/1.x, 502",
                "HTTP/1.1\\t200 OK|byte 0x09 after the version in the start line, 502",
                "HTTP/2.0 200 OK|`a version that is not HTTP/1.x: HTTP/2.0, 502`",
                "HTTP/1.1 20 OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 2000 OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 099 OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 :00 OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 2x0 OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 20/ OK|a status code that is not three digits from 100 on, 502",
                "HTTP/1.1 200\\t|byte 0x09 at the end of the start line, 502",
                "HTTP/1.1 200 O\\0K|byte 0x00 at the end of the start line, 502",
                "HTTP/1.1 200 OK\\rX|a CR without LF in the start line, 502",
            })
    void shouldRefuseAStatusLine(String line, String problem) {
        assertEquals(problem, parse(RESPONSES, unescaped(line)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "POST /a HTTP/1.1",
                "GET /a HTTP/1.0",
                "GETS / HTTP/1.1",
                "POS / HTTP/1.9",
                "G x://h HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "CONNECT h:1 HTTP/1.1"
            })
    void shouldTakeARequestLineApart(String line) {
        assertEquals(line + " []|rest", parse(REQUESTS, line + "\r\n\r\nrest"));
        assertEquals(line + " []|\nrest", parse(LAX.headRules(true, true), line + "\n\n\nrest"));
    }

    /** Versions and targets of other protocols are the application's to check, as long as they can't break a line apart. */
    @Test
    void shouldAcceptOtherProtocols() {
        HeadRules requests = HttpLimits.strict().headRules(true, false);
        assertEquals("PLAY x RTSP/1.0 []|", parse(requests, "PLAY x RTSP/1.0\r\n\r\n"));
        assertEquals("CONNECT /x RTSP/2 []|", parse(requests, "CONNECT /x RTSP/2\r\n\r\n"));
        assertEquals("a fragment in the target, 400", parse(requests, "PLAY #x RTSP/1.0\r\n\r\n"));
        HeadRules responses = HttpLimits.strict().headRules(false, false);
        assertEquals("RTSP/1.0 299 x y []|", parse(responses, "RTSP/1.0 299 x y\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /abc HTTP/1.1", "POST / HTTP/1.1", "PURGE /x HTTP/1.0"})
    void shouldLimitARequestLine(String line) {
        for (int max = 1; max < line.length() + 3; max++) {
            HttpLimits limits = LAX.toBuilder().maxInitialLineLength(max).build();
            String expected = max < line.length() ? "a start line longer than " + max + " bytes, 414" : line + " []|";
            for (String end : new String[] {"\r\n\r\n", "\n\n"}) {
                assertEquals(expected, parse(limits.headRules(true, true), line + end));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 204 No Content", "HTTP/1.0 204 x"})
    void shouldLimitAStatusLine(String line) {
        for (int max = 1; max < line.length() + 3; max++) {
            HttpLimits limits = LAX.toBuilder().maxInitialLineLength(max).build();
            String expected = max < line.length() ? "a start line longer than " + max + " bytes, 502" : line + " []|";
            for (String end : new String[] {"\r\n\r\n", "\n\n"}) {
                assertEquals(expected, parse(limits.headRules(false, true), line + end));
            }
        }
    }

    /** The peer might send no more before it's answered. */
    @ParameterizedTest
    @CsvSource({"true,GET", "true,GET /abcdefgh", "false,HTTP/", "false,HTTP/1.1"})
    void shouldRefuseALineAsSoonAsItCannotEndWithinItsLimit(boolean isRequest, String begun) {
        HttpLimits.Builder limits = LAX.toBuilder();
        HeadRules rules = limits.maxInitialLineLength(begun.length()).build().headRules(isRequest, true);
        int status = isRequest ? 414 : 502;
        assertEquals("a start line longer than " + begun.length() + " bytes, " + status, parse(rules, begun));
        HeadRules wider =
                limits.maxInitialLineLength(begun.length() + 1).build().headRules(isRequest, true);
        assertEquals("more", parse(wider, begun));
    }

    @Test
    void shouldLimitOnlyTheMethodsOfRequests() {
        HttpLimits limits = HttpLimits.standard().toBuilder().maxMethodLength(7).build();
        assertEquals("OPTIONS /x HTTP/1.1 []|", parse(limits.headRules(true, true), "OPTIONS /x HTTP/1.1\r\n\r\n"));
        assertEquals("a method longer than 7 bytes, 501", parse(limits.headRules(true, true), "OPTIONSX"));
        assertEquals("HTTP/1.1 200 x []|", parse(limits.headRules(false, true), "HTTP/1.1 200 x\r\n\r\n"));
    }

    // ---- header lines ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` A: b`|a header section that begins with a blank, 400",
                "A: b\\r\\n c|a header that continues on a second line, 400",
                "A : b|byte 0x20 in the name of a header, 400",
                "A\\r\\n|byte 0x0d in the name of a header, 400",
                "Abcdefghijklmnop(q: b|'(' in the name of a header, 400",
                "A\\344: b|byte 0xe4 in the name of a header, 400",
                ": b|a header without a name, 400",
                "A: b\\r\\n: b\\r\\n|a header without a name, 400",
                "A: \\0|byte 0x00 in the value of a header, 400",
                "A: b\\177\\r\\n|byte 0x7f in the value of a header, 400",
                "A: b\\rc|a CR without LF in a header line, 400",
                "A: b\\n|an LF without CR in the header section, 400",
                "A: b\\r\\n\\n|an LF without CR in the header section, 400",
                "\\rX|a CR without LF where a header line should start, 400",
                "A: b\\r\\n\\rX|a CR without LF where a header line should start, 400",
                "Host: a\\r\\nHOST: a\\r\\n\\r\\n|more than one Host, 400",
                "Host: a b\\r\\n\\r\\n|a Host that is not a valid host, 400",
                "Content-Length: x\\r\\n\\r\\n|a Content-Length that is not a number of bytes, 400",
                "Content-Length: 1\\r\\nContent-Length: 1\\r\\n\\r\\n|more than one Content-Length, 400",
            })
    void shouldRefuseAHeaderLine(String lines, String problem) {
        assertEquals(problem, parse(REQUESTS, "GET / HTTP/1.1\r\n" + unescaped(lines)));
    }

    /** Names of all lengths, with and without a blank before the value; more of them than there is room for at first. */
    @Test
    void shouldReturnTheHeadersInOrder() {
        StringBuilder lines = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int length = 1; length <= 20; length++) {
            String name = "Abcdefgh-jklmnop!rst".substring(0, length);
            lines.append(name)
                    .append(length % 3 == 0 ? ":" : ": \t")
                    .append("v ".repeat(length % 4))
                    .append("\r\n");
            expected.append(length == 1 ? "" : ", ")
                    .append(name)
                    .append('=')
                    .append("v ".repeat(length % 4).trim());
        }
        lines.append("cONTENT-lENGTH: 7\r\n\r\n");
        expected.append(", cONTENT-lENGTH=7");
        assertEquals("GET / HTTP/1.1 [" + expected + "]|", parse(REQUESTS, "GET / HTTP/1.1\r\n" + lines));
    }

    @Test
    void shouldJoinTheLinesOfAFoldedValue() {
        String lines = "A: b \t\r\n\t c\r\n \r\n d\r\nB:\r\n \r\n e \r\nC:\n f\n g\nD: \r\n \r\n\r\n";
        assertEquals("HTTP/1.1 204 x [A=b c d, B=e, C=f g, D=]|", parse(RESPONSES, "HTTP/1.1 204 x\r\n" + lines));
    }

    @ParameterizedTest
    @CsvSource({"HEAD,20", "TRAILER,12"})
    void shouldLimitAHeaderSection(Section section, int max) {
        HttpLimits limits = LAX.toBuilder()
                .maxHeaderSize(20)
                .maxTrailerSize(12)
                .maxHeaders(2)
                .build();
        HeadRules rules = limits.headRules(true, true);
        String line = section == Section.HEAD ? "GET / HTTP/1.1\r\n" : "";
        String parsed = section == Section.HEAD ? "GET / HTTP/1.1 " : "";
        String value = "x".repeat(max - 6);
        assertEquals(parsed + "[A=" + value + "]|", parse(section, rules, line + "A:" + value + "\r\n\r\n"));
        String tooLong = "a header section longer than " + max + " bytes, 431";
        assertEquals(tooLong, parse(section, rules, line + "A:" + value + "y\r\n\r\n"));
        assertEquals(tooLong, parse(section, rules, line + "A:" + value + "yyyy"), "as soon as it's clear");
        assertEquals("more", parse(section, rules, line + "A:" + value + "yyy"));
        assertEquals(parsed + "[a=, b=]|", parse(section, rules, line + "a:\r\nb:\r\n\r\n"));
        assertEquals("more than 2 header lines, 431", parse(section, rules, line + "a:\r\nb:\r\nc:"));
    }

    @Test
    void shouldLeaveFramingOutOfATrailer() {
        String lines = "A: 1\r\nContent-Length: x\r\nHost: a b\r\nB: 2\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertEquals("[A=1, B=2]|rest", parse(Section.TRAILER, REQUESTS, lines + "rest"));
        assertEquals("[]|", parse(Section.TRAILER, REQUESTS, "\r\n"));
        assertEquals("[]|", parse(Section.TRAILER, REQUESTS, "Host: a\r\n\r\n"));
    }

    @Test
    void shouldParseTheNextHeadWithWhatItHolds() throws Exception {
        HeadParser parser = new HeadParser(REQUESTS);
        for (String head : new String[] {
            "POST /a HTTP/1.1\r\nA: b\r\nContent-Length: 5\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"
        }) {
            byte[] bytes = head.getBytes(ISO_8859_1);
            parser.startHead();
            assertEquals(bytes.length, parser.parse(bytes, 0, bytes.length));
            boolean isFirst = head.startsWith("POST");
            assertEquals(isFirst ? 5 : -1, parser.facts.contentLength);
            assertEquals(isFirst, parser.facts.close());
            DefaultHttpHeaders headers = new DefaultHttpHeaders();
            parser.moveTo(headers, bytes, 0, true);
            assertEquals(isFirst ? 3 : 0, headers.size());
        }
    }
}
