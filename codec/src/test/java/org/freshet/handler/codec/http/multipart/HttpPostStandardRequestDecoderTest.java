package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.multipart.Forms.URL_ENCODED;
import static org.freshet.handler.codec.http.multipart.Forms.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.EndOfDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How url-encoded forms are decoded, and which are refused, however their bytes are split. */
class HttpPostStandardRequestDecoderTest {
    /** Forms that Netty 3 accepts decode to the same; the tests below cover the differences. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a=1&b=2",
                "a&b=1",
                "a=",
                "a=1\r\n",
                "a=1\n",
                "a=%41+b",
                "a+b=c",
                "a=b=c",
                "a=1&",
                "%C3%A9=%C3%A9",
                "a=1;b=2",
                "a=%00",
                "x=a\r\n\r\n",
                "a=%2b%26%3D&%25=+",
                "a=1&A=2&a=3"
            })
    void shouldReadTheSameAsNetty3(String form) throws Exception {
        assertForm(form, netty3(form).toArray(new String[0]));
    }

    private static List<String> netty3(String form) throws Exception {
        var request = new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                org.jboss.netty.handler.codec.http.HttpMethod.POST,
                "/");
        request.setContent(org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(form, ISO_8859_1));
        List<String> read = new ArrayList<>();
        for (var data :
                new org.jboss.netty.handler.codec.http.multipart.HttpPostRequestDecoder(request).getBodyHttpDatas()) {
            var field = (org.jboss.netty.handler.codec.http.multipart.Attribute) data;
            read.add(field.getName() + "=" + field.getValue());
        }
        return read;
    }

    private static void assertForm(String form, String... expected) {
        byte[] bytes = form.getBytes(ISO_8859_1);
        List<String> parts = List.of(expected);
        for (DefaultHttpDataFactory factory :
                List.of(new DefaultHttpDataFactory(false), new DefaultHttpDataFactory(2))) {
            HttpLimits limits = HttpLimits.standard();
            assertEquals(parts, decode(factory, limits, URL_ENCODED, bytes));
            for (int first = 1; first < bytes.length; first++) {
                for (int second = first; second < bytes.length; second++) {
                    assertEquals(parts, decode(factory, limits, URL_ENCODED, bytes, first, second));
                }
            }
            int[] everywhere = IntStream.range(1, bytes.length).toArray();
            assertEquals(parts, decode(factory, limits, URL_ENCODED, bytes, everywhere));
        }
    }

    @Test
    void shouldTreatANameWithoutAnEqualsSignAtTheEndAsAnEmptyField() {
        assertForm("a", "a=");
        assertForm("a=1&b", "a=1", "b=");
    }

    @Test
    void shouldSkipEmptyFieldsBetweenAmpersands() {
        assertForm("&a=1&&b=2&", "a=1", "b=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=x", "a=1&=", "a=%zz", "a=%4", "a=%%", "%", "a=%4&b=1", "a=1\r\nb=2", "a=1\rb", "+=1"})
    void shouldRefuse(String form) {
        byte[] bytes = form.getBytes(ISO_8859_1);
        for (int cut = 0; cut < bytes.length; cut++) {
            List<String> read = decode(new DefaultHttpDataFactory(), HttpLimits.standard(), URL_ENCODED, bytes, cut);
            assertTrue(read.get(0).startsWith("refused with 400"), read::toString);
        }
    }

    @Test
    void shouldReadNamesAndValuesInTheCharsetGiven() throws Exception {
        HttpRequest request = Forms.request(URL_ENCODED);
        request.setContent(ChannelBuffers.copiedBuffer("%e4=\u00e4%e4", ISO_8859_1));
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(new DefaultHttpDataFactory(), request, ISO_8859_1);
        assertEquals("\u00e4=\u00e4\u00e4", Forms.describe(decoder.next()));
        assertFalse(decoder.isMultipart());
        assertThrows(EndOfDataDecoderException.class, decoder::next);
    }

    // ---- limits ----

    private static int refusal(HttpLimits limits, String form) {
        byte[] bytes = form.getBytes(ISO_8859_1);
        List<String> read = decode(new DefaultHttpDataFactory(), limits, URL_ENCODED, bytes);
        return read.get(0).startsWith("refused with ")
                ? Integer.parseInt(read.get(0).substring(13, 16))
                : 0;
    }

    @Test
    void shouldLimitFieldsNamesAndValues() {
        HttpLimits limits = HttpLimits.standard().toBuilder()
                .maxFormFields(2)
                .maxFormNameLength(3)
                .maxFormFieldSize(4)
                .maxContentLength(20)
                .build();
        assertEquals(0, refusal(limits, "abc=1234&b=%30%31"));
        assertEquals(413, refusal(limits, "a=&b=&c="));
        assertEquals(413, refusal(limits, "a&b&c"));
        assertEquals(400, refusal(limits, "abcd=1"));
        assertEquals(413, refusal(limits, "a=12345"));
        assertEquals(413, refusal(limits, "a=1&b=%31%31%31%31%31"));
    }

    @Test
    void shouldRefuseAnEndlessNameBeforeStoringIt() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(Forms.chunkedRequest(URL_ENCODED));
        HttpChunk more = Forms.chunk("x".repeat(256));
        for (int i = 0; i < 4; i++) {
            decoder.offer(more);
        }
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(more));
    }

    @Test
    void shouldRefuseAnEndlessField() throws Exception {
        HttpPostRequestDecoder decoder =
                new HttpPostRequestDecoder(new DefaultHttpDataFactory(), Forms.chunkedRequest(URL_ENCODED));
        decoder.offer(Forms.chunk("a="));
        HttpChunk more = Forms.chunk("x".repeat(1024 * 1024));
        for (int i = 0; i < 16; i++) {
            decoder.offer(more);
        }
        ErrorDataDecoderException refused = assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(more));
        assertEquals(413, refused.suggestedStatus().getCode());
        decoder.cleanFiles();
    }

    @Test
    void shouldRefuseTheFirstOfMillionsOfFieldsThatIsTooMany() {
        assertEquals(0, refusal(HttpLimits.standard(), "a&".repeat(1000)));
        assertEquals(413, refusal(HttpLimits.standard(), "a&".repeat(1001)));
    }
}
