package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BiFunction;
import org.freshet.handler.codec.CountingLoader;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious input causes no more work than any other, however it is split. The work is counted, not timed. */
class FormWorkTest {
    private static final int DATA_BYTES = 1024 * 1024;

    /** For the longest boundary that RFC 2046 allows. */
    private static final String BOUNDARY = "-".repeat(69) + "B";

    private static final String NEAR_BOUNDARY = "\r\n--" + "-".repeat(69) + "C";

    /**
     * It is at most 6: a search loads a byte, a comparison two; a byte that was compared in an earlier piece is copied
     * twice if it proves to be data, and once more to its final place.
     */
    private static final int MAX_LOADS_A_BYTE = 8;

    /** Bytes that a search may skip without loading them. */
    private static final int LONGEST_SKIP = 128;

    /**
     * Decodes a body in pieces of the given length; returns the length of the only field or file. Loaded again for each
     * count.
     */
    public static final class Decoding implements BiFunction<byte[], Integer, Long> {
        private static final HttpLimits LIMITS = HttpLimits.standard().toBuilder()
                .maxFormFieldSize(2 * DATA_BYTES)
                .build();

        @Override
        public Long apply(byte[] body, Integer pieceBytes) {
            String type = body[0] == '-' ? "multipart/form-data; boundary=" + BOUNDARY : Forms.URL_ENCODED;
            HttpRequest request = Forms.chunkedRequest(type);
            try {
                HttpPostRequestDecoder form =
                        new HttpPostRequestDecoder(new DefaultHttpDataFactory(false), request, UTF_8, LIMITS);
                for (int at = 0; at < body.length; at += pieceBytes) {
                    form.offer(Forms.chunk(body, at, Math.min(body.length, at + pieceBytes)));
                }
                form.offer(HttpChunk.LAST_CHUNK);
                long length = ((HttpData) form.getBodyHttpDatas().get(0)).length();
                form.cleanFiles();
                return length;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void assertLinear(String body, int pieceBytes, long dataBytes) throws Exception {
        String prefix = FormWorkTest.class.getPackageName() + '.';
        BiFunction<byte[], Integer, Long> decoding = (BiFunction<byte[], Integer, Long>) new CountingLoader(prefix)
                .loadClass(Decoding.class.getName())
                .getConstructor()
                .newInstance();
        byte[] bytes = body.getBytes(ISO_8859_1);
        CountingLoader.takeCount();
        assertEquals(dataBytes, decoding.apply(bytes, pieceBytes));
        long loads = CountingLoader.takeCount();
        assertTrue(loads > bytes.length / LONGEST_SKIP, () -> "only " + loads + " loads counted");
        assertTrue(
                loads <= (long) MAX_LOADS_A_BYTE * bytes.length, () -> loads + " loads of " + bytes.length + " bytes");
    }

    private static void assertLinearFile(String unit, int pieceBytes) throws Exception {
        String data = unit.repeat(DATA_BYTES / unit.length());
        String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n";
        assertLinear(head + data + "\r\n--" + BOUNDARY + "--\r\n", pieceBytes, data.length());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 2 * DATA_BYTES})
    void shouldSearchLineEndsOnce(int pieceBytes) throws Exception {
        assertLinearFile("\r", pieceBytes);
        assertLinearFile("\r\n", pieceBytes);
        assertLinearFile("\r\n--", pieceBytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 2 * DATA_BYTES})
    void shouldSearchNearBoundariesOnce(int pieceBytes) throws Exception {
        assertLinearFile(NEAR_BOUNDARY, pieceBytes);
        assertLinearFile("\r\n--" + BOUNDARY + " ".repeat(64) + "x", pieceBytes);
        assertLinearFile("\r\n--" + BOUNDARY + "\r", pieceBytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 2 * DATA_BYTES})
    void shouldSearchEndsOfBoundariesOnce(int pieceBytes) throws Exception {
        assertLinearFile(BOUNDARY, pieceBytes);
        for (int bytes = 1; bytes <= 4; bytes++) {
            assertLinearFile(BOUNDARY.substring(BOUNDARY.length() - bytes), pieceBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 2 * DATA_BYTES})
    void shouldReadUrlEncodedFormsOnce(int pieceBytes) throws Exception {
        assertLinear("a=" + "x".repeat(DATA_BYTES), pieceBytes, DATA_BYTES);
        assertLinear("a=" + "+".repeat(DATA_BYTES), pieceBytes, DATA_BYTES);
        assertLinear("a=" + "%41".repeat(DATA_BYTES / 3), pieceBytes, DATA_BYTES / 3);
    }
}
