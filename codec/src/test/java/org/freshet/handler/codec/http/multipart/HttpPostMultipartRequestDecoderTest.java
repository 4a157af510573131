package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.handler.codec.http.multipart.Forms.MULTIPART;
import static org.freshet.handler.codec.http.multipart.Forms.decode;
import static org.freshet.handler.codec.http.multipart.Forms.field;
import static org.freshet.handler.codec.http.multipart.Forms.file;
import static org.freshet.handler.codec.http.multipart.Forms.form;
import static org.freshet.handler.codec.http.multipart.Forms.part;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.EndOfDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.NotEnoughDataDecoderException;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How multipart forms are decoded, and which are refused, however their bytes are split. */
class HttpPostMultipartRequestDecoderTest {
    private static final String DISPOSITION = "Content-Disposition: form-data; name=\"a\"";

    /** Decodes the input whole, in two and three pieces split everywhere, and byte by byte. */
    private static void assertForm(String body, String... expected) {
        byte[] bytes = body.getBytes(ISO_8859_1);
        List<String> parts = List.of(expected);
        assertEquals(parts, decodeCut(bytes));
        for (int first = 1; first < bytes.length; first++) {
            assertEquals(parts, decodeCut(bytes, first), "cut at " + first);
            for (int second = first + 1; second < bytes.length; second++) {
                int[] cuts = {first, second};
                assertEquals(parts, decodeCut(bytes, cuts), () -> "cut at " + cuts[0] + " and " + cuts[1]);
            }
        }
        assertEquals(parts, decodeCut(bytes, IntStream.range(1, bytes.length).toArray()), "byte by byte");
    }

    private static List<String> decodeCut(byte[] body, int... cuts) {
        return decode(new DefaultHttpDataFactory(false), HttpLimits.standard(), MULTIPART, body, cuts);
    }

    private static void assertRefused(int status, String body) {
        assertRefused(HttpLimits.standard(), status, body);
    }

    private static void assertRefused(HttpLimits limits, int status, String body) {
        byte[] bytes = body.getBytes(ISO_8859_1);
        DefaultHttpDataFactory factory = new DefaultHttpDataFactory(false);
        List<String> whole = decode(factory, limits, MULTIPART, bytes);
        assertEquals(1, whole.size(), whole::toString);
        assertTrue(whole.get(0).startsWith("refused with " + status), whole::toString);
        for (int cut = 1; cut < bytes.length; cut++) {
            List<String> read = decode(factory, limits, MULTIPART, bytes, cut);
            assertTrue(read.get(0).startsWith("refused with " + status), read::toString);
        }
    }

    // ---- what is read ----

    @Test
    void shouldReadFieldsAndFiles() {
        assertForm(
                form(field("a", "1"), file("f", "x.txt", "\r\n--"), field("b", "")),
                "a=1",
                "file f x.txt application/octet-stream 7bit UTF-8 <\r\n-->",
                "b=");
    }

    /** In that locale, the lower case of I is not i. */
    @Test
    void shouldReadFormsAlikeInATurkishLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            String head =
                    "CONTENT-DISPOSITION: FORM-DATA; NAME=\"a\"; FILENAME=\"I.txt\"\r\nCONTENT-TYPE: IMAGE/GIF\r\n"
                            + "CONTENT-TRANSFER-ENCODING: BINARY";
            List<String> expected = List.of("file a I.txt image/gif BINARY UTF-8 <x>");
            assertEquals(expected, decode(MULTIPART, form(part(head, "x"))));
            assertEquals(expected, decode(MULTIPART.replace("multipart", "MULTIPART"), form(part(head, "x"))));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldTreatAnIncompleteDelimiterAsData() {
        String data = "\r\n--A\r\r\n\r\n--\r\n--B-\r\n--BB\r\n--B \rx\r\n--B\r\r\n--B-x--B--\n--B\r\n -";
        assertForm(form(field("a", data)), "a=" + data);
    }

    @Test
    void shouldReadEmptyDataWithoutASeparateLineEnd() {
        assertForm("--B\r\n" + DISPOSITION + "\r\n\r\n--B--", "a=");
    }

    @Test
    void shouldSkipPreambleAndEpilogueAndBlanksAfterDelimiters() {
        assertForm("pre\r\n--BC\r\n--B \t\r\n" + DISPOSITION + "\r\n\r\nx\r\n--B--epi\r\n--B\r\nlogue", "a=x");
    }

    @Test
    void shouldAcceptADelimiterAsTheEnd() {
        assertForm(field("a", "x") + "--B", "a=x");
        assertForm(field("a", "x") + "--B\r\n", "a=x");
    }

    @Test
    void shouldReadAnEmptyFormAndAnEmptyBody() {
        assertForm("--B--");
        assertForm("");
    }

    @Test
    void shouldReadFilesFromAMixedPart() {
        String mixed =
                "--C\r\nContent-Disposition: attachment; filename=\"1\"\r\nContent-Type: text/plain\r\n\r\none\r\n"
                        + "--C\r\nContent-Disposition: file; filename=\"2\"\r\n\r\n\r\n--B\r\n--C--\r\n";
        assertForm(
                form(part(DISPOSITION + "\r\nContent-Type: multipart/mixed; boundary=C", mixed), field("b", "2")),
                "file a 1 text/plain 7bit UTF-8 <one>",
                "file a 2 application/octet-stream 7bit UTF-8 <\r\n--B>",
                "b=2");
    }

    @Test
    void shouldReadTheCharsetOfAPartAndOfTheRequest() {
        assertForm(form(part(DISPOSITION + "\r\nContent-Type: text/plain; charset=ISO-8859-1", "\u00e4")), "a=\u00e4");
        assertEquals(
                List.of("\u00e4=\u00e4"), decode(MULTIPART + "; charset=ISO-8859-1", form(field("\u00e4", "\u00e4"))));
        String utf8 = new String(form(field("\u20ac", "\u20ac")).getBytes(UTF_8), ISO_8859_1);
        assertEquals(List.of("\u20ac=\u20ac"), decode(MULTIPART, utf8));
    }

    @Test
    void shouldReadQuotedBoundaries() {
        String type = "Multipart/Form-Data; charset=utf-8; Boundary=\"a;b c\"";
        String body = "--a;b c\r\n" + DISPOSITION + "\r\n\r\nx\r\n--a;b c--";
        assertEquals(List.of("a=x"), decode(type, body));
    }

    @Test
    void shouldReadBuffersWithoutAnArray() throws Exception {
        HttpRequest request = Forms.request(MULTIPART);
        byte[] body = form(field("a", "x".repeat(20_000))).getBytes(ISO_8859_1);
        java.nio.ByteBuffer direct = java.nio.ByteBuffer.allocateDirect(body.length);
        request.setContent(ChannelBuffers.wrappedBuffer(direct.put(body).flip()));
        InterfaceHttpData data = new HttpPostRequestDecoder(request).getBodyHttpData("A");
        assertEquals("x".repeat(20_000), ((Attribute) data).getValue());
    }

    // ---- names ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"C:\\dir\\x.txt\"|x.txt",
                "\"\\\\server\\x.txt\"|serverx.txt",
                "\"a\\\"b.txt\"|ab.txt",
                "\"a%22b%0d%0Ac\"|ab  c",
                "\"../x\"|../x",
                "\"x;y\"|x;y",
                "\"\"|",
                "x.txt|x.txt",
                "\"a\\b\"|ab",
                "\"no\"; filename*=UTF-8''%e2%82%ac%20+|\u20ac +",
                "\"no\"; filename*=iso-8859-1'en'%A3|\u00a3",
                "\"no\"; filename*=UTF-8''a%22%0a%5c|a ",
            })
    void shouldMakeFilenamesHarmless(String example) {
        String[] raw = example.split("\\|", -1);
        String body = form(part(DISPOSITION + "; filename=" + raw[0], "x"));
        assertEquals(List.of("file a " + raw[1] + " application/octet-stream 7bit UTF-8 <x>"), decode(MULTIPART, body));
    }

    @Test
    void shouldReadEscapedQuotationMarksInNames() {
        assertForm(form(field("a\\\"b%22", "x")), "a\"b\"=x");
    }

    // ---- what is refused ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x: y",
                "Content-Disposition: form-data",
                "Content-Disposition: attachment; name=\"a\"",
                "Content-Disposition: form-data; name=\"\"",
                "Content-Disposition: form-data; name=\"a",
                "Content-Disposition: form-data; name=\"a\"b",
                "Content-Disposition: form-data; name=a\"b",
                "Content-Disposition: form-data; name=\"a\"; name=\"b\"",
                "Content-Disposition: form-data; name",
                "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"a\"",
                DISPOSITION + "; filename*=x",
                DISPOSITION + "; filename*=UTF-7''x",
                DISPOSITION + "; filename*=UTF-8''%zz",
                DISPOSITION + "\r\nContent-Type: a/b\r\nContent-Type: a/b",
                DISPOSITION + "\r\nContent-Type: text/plain; charset=none-such",
                DISPOSITION + "\r\nContent-Type: multipart/mixed",
                DISPOSITION + "\r\nbad name: x",
                DISPOSITION + "\r\n: x",
                DISPOSITION + "\r\nno colon",
                DISPOSITION + "\r\nx: \u0000",
                DISPOSITION + "\r\nx: \u007f",
                DISPOSITION + "\r\n folded",
                DISPOSITION + "\nx: y",
                DISPOSITION + "\rx: y",
            })
    void shouldRefuseAHead(String head) {
        assertRefused(400, form(part(head, "x")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "--B\r\nContent-Disposition: form-data; name=a\r\n",
                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n",
                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n",
                "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--B-",
            })
    void shouldRefuseATruncatedForm(String body) {
        assertRefused(400, body);
    }

    @Test
    void shouldRefuseAMixedPartWithinAMixedPart() {
        String nested = "--C\r\nContent-Disposition: attachment; filename=\"1\"\r\n"
                + "Content-Type: multipart/mixed; boundary=D\r\n\r\n--D--\r\n--C--\r\n";
        assertRefused(400, form(part(DISPOSITION + "\r\nContent-Type: multipart/mixed; boundary=C", nested)));
    }

    @Test
    void shouldRefuseAMixedPartThatNeverEnds() {
        assertRefused(400, form(part(DISPOSITION + "\r\nContent-Type: multipart/mixed; boundary=C", "--C\r\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"a\rb\"",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=a; boundary=b",
                "multipart/form-data; boundary=12345678901234567890123456789012345678901234567890123456789012345678901",
                "multipart/form-data; boundary=a; charset=none-such",
            })
    void shouldRefuseAnInvalidBoundary(String type) {
        assertThrows(ErrorDataDecoderException.class, () -> HttpPostRequestDecoder.multipartType(type));
    }

    @Test
    void shouldReadFoldedHeadersIfAllowed() {
        HttpLimits lenient = HttpLimits.standard().toBuilder()
                .allow(HttpViolation.FOLDED_REQUEST_HEADERS)
                .build();
        byte[] body = form(part("Content-Disposition: form-data;\r\n name=\"a\"", "x"))
                .getBytes(ISO_8859_1);
        assertEquals(List.of("a=x"), decode(new DefaultHttpDataFactory(), lenient, MULTIPART, body));
    }

    // ---- limits ----

    private static HttpLimits.Builder limits() {
        return HttpLimits.standard().toBuilder();
    }

    @Test
    void shouldLimitTheNumberOfParts() {
        assertRefused(limits().maxFormFields(2).build(), 413, form(field("a", ""), file("b", "", ""), field("c", "")));
    }

    @Test
    void shouldLimitFieldsButNotFiles() {
        HttpLimits limits = limits().maxFormFieldSize(3).build();
        assertRefused(limits, 413, form(field("a", "1234")));
        byte[] body = form(field("a", "123"), file("f", "", "1234")).getBytes(ISO_8859_1);
        assertEquals(
                2, decode(new DefaultHttpDataFactory(), limits, MULTIPART, body).size());
    }

    @Test
    void shouldLimitAFormWhoseFilesAreOnDisk() {
        String body = form(file("f", "", "1234567890"), file("g", "", "1234567890"));
        byte[] bytes = body.getBytes(ISO_8859_1);
        DefaultHttpDataFactory onDisk = new DefaultHttpDataFactory(true);
        HttpLimits exact = limits().maxFormSize(bytes.length).build();
        assertEquals(2, decode(onDisk, exact, MULTIPART, bytes).size());
        HttpLimits less = limits().maxFormSize(bytes.length - 1).build();
        assertTrue(decode(onDisk, less, MULTIPART, bytes).get(0).startsWith("refused with 413"));
        assertRefused(less, 413, body);
        assertEquals(64L * 1024 * 1024, HttpLimits.standard().maxFormSize(), "the default is finite");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-JISAutoDetect", "no-such-charset", "@"})
    void shouldRefuseACharsetThatCannotBeWritten(String charset) {
        String part =
                part("Content-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain; charset=" + charset, "x");
        assertRefused(400, form(part));
        byte[] body = form(field("a", "1")).getBytes(ISO_8859_1);
        List<String> read = decode(
                new DefaultHttpDataFactory(false), HttpLimits.standard(), MULTIPART + "; charset=" + charset, body);
        assertTrue(read.get(0).startsWith("refused with 400"), read::toString);
    }

    @Test
    void shouldLimitWhatAFormHasInMemory() {
        HttpLimits limits = limits().maxFormBytesInMemory(10).build();
        byte[] body = form(field("a", "1234"), file("f", "", "12"), field("b", "1234"))
                .getBytes(ISO_8859_1);
        assertEquals(
                3,
                decode(new DefaultHttpDataFactory(false), limits, MULTIPART, body)
                        .size());
        assertRefused(limits, 413, form(field("a", "1234"), file("f", "", "123"), field("b", "1234")));
        assertRefused(limits, 413, form(file("f", "", "12345678901")));
        assertEquals(64L * 1024 * 1024, HttpLimits.standard().maxFormBytesInMemory(), "the default is finite");

        byte[] large = form(file("f", "", "12345678901"), file("f", "", "1234")).getBytes(ISO_8859_1);
        assertEquals(
                2,
                decode(new DefaultHttpDataFactory(true), limits, MULTIPART, large)
                        .size());
        assertEquals(
                2,
                decode(new DefaultHttpDataFactory(4), limits, MULTIPART, large).size());
        byte[] small = form(file("f", "", "1234"), file("f", "", "1234"), file("f", "", "1234"))
                .getBytes(ISO_8859_1);
        assertTrue(decode(new DefaultHttpDataFactory(4), limits, MULTIPART, small)
                .get(0)
                .startsWith("refused with 413"));
    }

    @Test
    void shouldReadHeadsWhoseLinesEndWithLfIfAllowed() {
        String head = DISPOSITION + "\nContent-Type: text/plain";
        String form = "--B\r\n" + head + "\n\n1\n2\r\n--B--\r\n";
        assertRefused(HttpLimits.standard(), 400, form);
        byte[] body = form.getBytes(ISO_8859_1);
        for (int cut = 1; cut < body.length; cut++) {
            assertEquals(
                    List.of("a=1\n2"),
                    decode(new DefaultHttpDataFactory(false), HttpLimits.netty3(), MULTIPART, body, cut));
        }
        assertRefused(HttpLimits.netty3(), 400, "--B\r\n" + DISPOSITION + "\r\r\n\r\n1\r\n--B--\r\n");
        assertRefused(
                HttpLimits.netty3().toBuilder().maxPartHeadSize(head.length()).build(), 431, form);
    }

    @Test
    void shouldLimitNamesHeadsAndLines() {
        assertRefused(limits().maxFormNameLength(3).build(), 400, form(field("\u00e4\u00e4", "")));
        assertRefused(limits().maxPartHeadSize(40).build(), 431, form(field("a", "")));
        assertRefused(limits().maxPartHeaders(1).build(), 431, form(part(DISPOSITION + "\r\nx: y", "")));
    }

    @Test
    void shouldLimitTheWholeForm() {
        assertRefused(limits().maxContentLength(50).build(), 413, form(field("a", "x".repeat(20))));
    }

    @Test
    void shouldRefuseMoreThanTheFactoryAllowsOrThePartAnnounces() {
        DefaultHttpDataFactory factory = new DefaultHttpDataFactory();
        factory.setMaxLimit(3);
        byte[] body = form(file("f", "", "1234")).getBytes(ISO_8859_1);
        String refused = decode(factory, HttpLimits.standard(), MULTIPART, body).get(0);
        assertTrue(refused.startsWith("refused with 413"), refused);
        String head = DISPOSITION + "; filename=x\r\nContent-Length: 3";
        assertRefused(413, form(part(head, "1234")));
        assertForm(form(part(head, "123")), "file a x application/octet-stream 7bit UTF-8 <123>");
    }

    // ---- work: the cost of endless input is bounded by the input ----

    @Test
    void shouldRefuseAnEndlessHeadOrNameBeforeStoringIt() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(Forms.chunkedRequest(MULTIPART));
        decoder.offer(Forms.chunk("--B\r\n" + DISPOSITION.substring(0, DISPOSITION.length() - 1)));
        HttpChunk more = Forms.chunk("x".repeat(100));
        int accepted = 0;
        ErrorDataDecoderException refused = null;
        while (refused == null && accepted < 1000) {
            try {
                decoder.offer(more);
                accepted++;
            } catch (ErrorDataDecoderException e) {
                refused = e;
            }
        }
        assertEquals(81, accepted);
        assertEquals(431, refused.suggestedStatus().getCode());
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(more));
    }

    @Test
    void shouldRefuseTheFirstOfMillionsOfPartsThatIsTooMany() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(Forms.chunkedRequest(MULTIPART));
        for (int i = 0; i < 1000; i++) {
            decoder.offer(Forms.chunk(field("a", "")));
        }
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(Forms.chunk(field("a", ""))));
    }

    // ---- the order of calls ----

    @Test
    void shouldReturnPartsAsTheyCompleteAndReportTheEnd() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(Forms.chunkedRequest(MULTIPART));
        assertTrue(decoder.isMultipart());
        assertFalse(decoder.hasNext());
        assertNull(decoder.next());
        decoder.offer(Forms.chunk(field("a", "1") + field("b", "2")));
        assertEquals("a=1", Forms.describe(decoder.next()));
        assertFalse(decoder.hasNext(), "b may continue");
        assertThrows(NotEnoughDataDecoderException.class, decoder::getBodyHttpDatas);
        decoder.offer(Forms.chunk("--B--"));
        assertEquals("b=2", Forms.describe(decoder.next()));
        decoder.offer(HttpChunk.LAST_CHUNK);
        assertThrows(EndOfDataDecoderException.class, decoder::hasNext);
        assertEquals("b=2", Forms.describe(decoder.getBodyHttpData("B")));
        assertNull(decoder.getBodyHttpData("c"));
        assertNull(decoder.getBodyHttpDatas("c"));
    }

    @Test
    void shouldReturnFalseAtTheEndOfACompleteForm() throws Exception {
        HttpRequest request = Forms.request(MULTIPART);
        request.setContent(ChannelBuffers.copiedBuffer(form(field("a", "1")), ISO_8859_1));
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(request);
        assertEquals("a=1", Forms.describe(decoder.next()));
        assertFalse(decoder.hasNext());
    }

    @Test
    void shouldDecodeNothingAfterAFailure() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(Forms.chunkedRequest(MULTIPART));
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(Forms.chunk("--B\r\n\r\n")));
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(Forms.chunk(form(field("a", "1")))));
        assertFalse(decoder.hasNext());
        assertThrows(NotEnoughDataDecoderException.class, decoder::getBodyHttpDatas);
    }

    // ---- at random ----

    @Test
    void shouldReadTheSameHoweverRandomDataIsSplit() {
        Random random = Seeds.random();
        String alphabet = "\r\n-B x";
        for (int round = 0; round < 2000; round++) {
            StringBuilder data = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                data.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] body = (form(field("a", data.toString())) + data).getBytes(ISO_8859_1);
            List<String> whole = decodeCut(body);
            int[] cuts = random.ints(5, 0, body.length).sorted().toArray();
            assertEquals(whole, decodeCut(body, cuts), () -> "data " + data);
            assertEquals(whole, decodeCut(body, IntStream.range(1, body.length).toArray()));
            if (data.indexOf("--B") < 0) {
                assertEquals(List.of("a=" + data), whole);
            }
        }
    }
}
