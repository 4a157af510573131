package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.freshet.handler.codec.http.Corpus;
import org.freshet.handler.codec.http.HttpLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Forms from other projects' tests, whole and byte by byte. */
class MultipartCorpusTest {
    private static final List<String> REFUSED = List.of("refused with 400: the form has no delimiter");

    /**
     * Declared with the boundary {@code --boundary}, but delimited by exactly that, without two more hyphens (RFC 2046
     * 5.1.1).
     */
    private static final Set<String> REVIEWED = Set.of("python-multipart-single_field_blocks");

    static List<Corpus.Case> cases() throws IOException {
        return Corpus.read("multipart");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReadFormsOfOtherProjects(Corpus.Case form) {
        String type = "multipart/form-data; boundary=" + form.detail().get("boundary");
        List<String> read = decode(type, form.bytes());
        assertEquals(
                read,
                decode(
                        type,
                        form.bytes(),
                        IntStream.range(1, form.bytes().length).toArray()));
        boolean refused = read.size() == 1 && read.get(0).startsWith("refused with 400");
        switch (form.expect()) {
            case "reject":
                assertTrue(refused, read::toString);
                break;
            case "accept":
                assertEquals(REVIEWED.contains(form.id()) ? REFUSED : expected(form), read);
                break;
            default:
                assertTrue(refused || isAlternative(form, read), read::toString);
                break;
        }
    }

    private static List<String> decode(String type, byte[] body, int... cuts) {
        List<String> read = Forms.decode(new DefaultHttpDataFactory(), HttpLimits.standard(), type, body, cuts);
        List<String> compared = new ArrayList<>();
        for (String part : read) {
            compared.add(part.replaceFirst(" (7bit|base64|quoted-printable) UTF-8 <", " <"));
        }
        return compared;
    }

    @SuppressWarnings("unchecked")
    private static List<String> expected(Corpus.Case form) {
        List<String> expected = new ArrayList<>();
        for (Object part : (List<Object>) form.detail().get("parts")) {
            Map<String, Object> map = (Map<String, Object>) part;
            String data = new String(Base64.getDecoder().decode((String) map.get("data")), ISO_8859_1);
            String contentType = String.valueOf(map.get("content_type")).replaceFirst(";.*", "");
            expected.add(
                    map.get("filename") == null
                            ? map.get("name") + "=" + new String(data.getBytes(ISO_8859_1), UTF_8)
                            : "file " + map.get("name") + " " + map.get("filename") + " " + contentType + " <" + data
                                    + '>');
        }
        return expected;
    }

    /** Content-Transfer-Encoding is not decoded (RFC 7578 4.7), so any data is accepted if the parts are right. */
    private static boolean isAlternative(Corpus.Case form, List<String> read) {
        if (form.detail().get("parts") == null) {
            return false;
        }
        List<String> expected = expected(form);
        if (form.text().toLowerCase(Locale.ROOT).contains("content-transfer-encoding")) {
            expected.replaceAll(MultipartCorpusTest::withoutData);
            List<String> parts = new ArrayList<>(read);
            parts.replaceAll(MultipartCorpusTest::withoutData);
            return expected.equals(parts);
        }
        return expected.equals(read);
    }

    private static String withoutData(String part) {
        return part.replaceFirst("(?s)[=<].*", "");
    }
}
