package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestEncoder;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder.EncoderMode;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder.ErrorDataEncoderException;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How forms are encoded, and that both Freshet and Netty 3 read the same from the result. */
class HttpPostRequestEncoderTest {
    @TempDir
    Path directory;

    private File small;
    private File large;
    private String largeContent;

    @BeforeEach
    void writeFiles() throws Exception {
        largeContent = "\r\n--0123456789\u00e4".repeat(3000);
        small = Files.writeString(directory.resolve("small.txt"), "hello").toFile();
        large = Files.writeString(directory.resolve("large.bin"), largeContent, ISO_8859_1)
                .toFile();
    }

    private static HttpRequest request() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/form");
    }

    private static HttpPostRequestEncoder encoder(boolean multipart, EncoderMode mode) throws Exception {
        return new HttpPostRequestEncoder(new DefaultHttpDataFactory(), request(), multipart, UTF_8, mode);
    }

    private HttpPostRequestEncoder filled(EncoderMode mode) throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, mode);
        encoder.addBodyAttribute("a b", "x y*~&+\u20ac");
        encoder.addBodyAttribute("empty", null);
        encoder.addBodyFileUpload("one", small, null, true);
        encoder.addBodyFileUploads("many", new File[] {small, large, small}, new String[3], new boolean[3]);
        encoder.addBodyAttribute("end", "z");
        encoder.addBodyFileUpload("many", small, "text/css", false);
        return encoder;
    }

    /** All chunks, after checking what the request announces. */
    private static byte[] content(HttpPostRequestEncoder encoder, HttpRequest request) throws Exception {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        while (!encoder.isEndOfInput()) {
            assertTrue(encoder.hasNextChunk());
            HttpChunk chunk = encoder.nextChunk();
            assertEquals(chunk.isLast(), encoder.isEndOfInput());
            assertTrue(chunk.getContent().readableBytes() <= 8096);
            chunk.getContent()
                    .getBytes(
                            chunk.getContent().readerIndex(),
                            content,
                            chunk.getContent().readableBytes());
        }
        assertFalse(encoder.hasNextChunk());
        assertEquals(content.size(), HttpHeaders.getContentLength(request));
        return content.toByteArray();
    }

    @Test
    void shouldReportProgressInBytesOfTheContent() throws Exception {
        HttpRequest request = request();
        HttpPostRequestEncoder form =
                new HttpPostRequestEncoder(new DefaultHttpDataFactory(), request, true, UTF_8, EncoderMode.HTML5);
        form.addBodyFileUpload("f", large, null, false);
        assertEquals(-1, form.totalBytes());
        form.finalizeRequest();
        long total = HttpHeaders.getContentLength(request);
        List<String> progress = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new HttpRequestEncoder(), new ChunkedWriteHandler());
        channel.write(request);
        channel.holdWrites();
        channel.write(form).addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture future, long amount, long current, long ofTotal) {
                progress.add(amount + " " + current + "/" + ofTotal);
            }

            @Override
            public void operationComplete(ChannelFuture future) {
                progress.add("success " + future.isSuccess());
            }
        });
        channel.completeWrites();
        assertEquals("8096 8096/" + total, progress.get(0));
        assertEquals(
                List.of("0 " + total + "/" + total, "success true"),
                progress.subList(progress.size() - 2, progress.size()));
        assertEquals(total / 8096 + 3, progress.size());
    }

    @ParameterizedTest
    @CsvSource({"UTF-16,true", "UTF-16,false", "UTF-16LE,true", "UTF-32,true", "IBM037,true", "IBM037,false"})
    void shouldHaveTheRightLengthAndAsciiHeadsInAnyCharset(String charset, boolean multipart) throws Exception {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        HttpPostRequestEncoder form = new HttpPostRequestEncoder(
                new DefaultHttpDataFactory(false), request, multipart, Charset.forName(charset));
        form.addBodyAttribute("name", "value");
        form.addBodyAttribute("other", "x");
        form.finalizeRequest();
        byte[] whole = new byte[request.getContent().readableBytes()];
        request.getContent().getBytes(0, whole);
        byte[] content = form.isChunked() ? content(form, request) : whole;
        assertEquals(HttpHeaders.getContentLength(request), content.length);
        String text = new String(content, US_ASCII);
        assertTrue(multipart ? text.contains("; name=\"other\"") : text.equals(expectedPairs(charset)), text);
    }

    private static String expectedPairs(String charset) throws Exception {
        return "name=" + URLEncoder.encode("value", charset) + "&other=" + URLEncoder.encode("x", charset);
    }

    // ---- multipart ----

    @ParameterizedTest
    @EnumSource(EncoderMode.class)
    void shouldWriteFormsThatBothReadTheSame(EncoderMode mode) throws Exception {
        HttpPostRequestEncoder encoder = filled(mode);
        HttpRequest request = encoder.finalizeRequest();
        assertTrue(encoder.isChunked() && request.isChunked() && encoder.isMultipart());
        assertTrue(HttpHeaders.isTransferEncodingChunked(request));
        String type = request.headers().get(HttpHeaders.Names.CONTENT_TYPE);
        byte[] content = content(encoder, request);
        String octets = "application/octet-stream binary UTF-8 <";
        List<String> expected = List.of(
                "a b=x y*~&+\u20ac",
                "empty=",
                "file one small.txt text/plain 7bit UTF-8 <hello>",
                "file many small.txt " + octets + "hello>",
                "file many large.bin " + octets + largeContent + '>',
                "file many small.txt " + octets + "hello>",
                "end=z",
                "file many small.txt text/css binary UTF-8 <hello>");
        assertEquals(expected, Forms.decode(new DefaultHttpDataFactory(), Netty3Forms.LIMITS, type, content));
        assertEquals(expected, Netty3Forms.decode(type, content));
        assertEquals(mode != EncoderMode.HTML5, new String(content, ISO_8859_1).contains("multipart/mixed"));
    }

    @ParameterizedTest
    @EnumSource(EncoderMode.class)
    void shouldReadFormsWrittenByNetty3(EncoderMode mode) throws Exception {
        Netty3Forms.Written written = Netty3Forms.encode(mode.name(), small, large);
        List<String> expected = Netty3Forms.decode(written.type(), written.content());
        assertEquals(7, expected.size());
        assertEquals(
                expected,
                Forms.decode(new DefaultHttpDataFactory(), Netty3Forms.LIMITS, written.type(), written.content()));
    }

    @Test
    void shouldWritePartsAsNetty3DoesInHtml5Mode() throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, EncoderMode.HTML5);
        encoder.addBodyAttribute("a", "1");
        encoder.addBodyFileUpload("f", small, "text/plain", true);
        encoder.addBodyFileUpload("b", small, null, false);
        HttpRequest request = encoder.finalizeRequest();
        String type = request.headers().get(HttpHeaders.Names.CONTENT_TYPE);
        assertTrue(type.matches("multipart/form-data; boundary=[0-9a-f]{32}"), type);
        String boundary = type.substring(type.indexOf('=') + 1);
        assertEquals(
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n1\r\n"
                        + "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"small.txt\"\r\n"
                        + "Content-Type: text/plain; charset=UTF-8\r\n\r\nhello\r\n"
                        + "--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"small.txt\"\r\n"
                        + "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n\r\nhello\r\n"
                        + "--B--\r\n",
                new String(content(encoder, request), UTF_8).replace(boundary, "B"));
    }

    @Test
    void shouldWriteAnEmptyForm() throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, EncoderMode.HTML5);
        HttpRequest request = encoder.finalizeRequest();
        assertTrue(new String(content(encoder, request), UTF_8).matches("--[0-9a-f]{32}--\r\n"));
    }

    @Test
    void shouldEscapeQuotationMarksInNames() throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, EncoderMode.HTML5);
        encoder.addBodyAttribute("a\"b\\c", "1");
        HttpRequest request = encoder.finalizeRequest();
        assertTrue(new String(content(encoder, request), UTF_8).contains("name=\"a%22b%5Cc\"\r\n"));
    }

    @Test
    void shouldRefuseWhatWouldLeaveAHead() throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, EncoderMode.HTML5);
        for (String type : List.of("a\r\nb", "a\u0000", "a\u007f")) {
            assertThrows(ErrorDataEncoderException.class, () -> encoder.addBodyFileUpload("f", small, type, false));
        }
        FileUpload upload = new MemoryFileUpload("f", "x", "text/plain", null, null, 0);
        FileUpload mixed = new MixedFileUpload("f", "x", "text/plain", null, null, 0, 1);
        for (String name : List.of("a\rb", "a\nb", "a\"b", "a\\b", "a\u007f", "\u0000")) {
            assertThrows(IllegalArgumentException.class, () -> upload.setFilename(name));
            assertThrows(IllegalArgumentException.class, () -> mixed.setFilename(name));
            assertThrows(
                    IllegalArgumentException.class, () -> new DiskFileUpload("f", name, "text/plain", null, null, 0));
        }
        Attribute controls = new MemoryAttribute("a\r\nb", "1");
        assertEquals("a  b", controls.getName());
    }

    @Test
    void shouldFailWhenAFileHasChanged() throws Exception {
        HttpPostRequestEncoder encoder = filled(EncoderMode.HTML5);
        HttpRequest request = encoder.finalizeRequest();
        Files.writeString(large.toPath(), "short");
        assertThrows(ErrorDataEncoderException.class, () -> content(encoder, request));
    }

    // ---- url-encoded ----

    @Test
    void shouldEncodePairsAsNetty3Does() throws Exception {
        assertEquals("a+b=x+y*%7E%26%2B%E2%82%AC&empty=&k=1", pairs(EncoderMode.RFC1738));
        assertEquals("a%20b=x%20y%2A~%26%2B%E2%82%AC&empty=&k=1", pairs(EncoderMode.RFC3986));
        assertEquals("a+b=x+y*%7E%26%2B%E2%82%AC&empty=&k=1", pairs(EncoderMode.HTML5));
    }

    private static String pairs(EncoderMode mode) throws Exception {
        HttpPostRequestEncoder encoder = encoder(false, mode);
        encoder.addBodyAttribute("a b", "x y*~&+\u20ac");
        encoder.addBodyAttribute("empty", "");
        encoder.addBodyAttribute("k", "1");
        HttpRequest request = encoder.finalizeRequest();
        assertFalse(encoder.isChunked());
        assertEquals("application/x-www-form-urlencoded", request.headers().get(HttpHeaders.Names.CONTENT_TYPE));
        assertEquals(request.getContent().readableBytes(), HttpHeaders.getContentLength(request));
        assertTrue(encoder.nextChunk().isLast());
        return request.getContent().toString(UTF_8);
    }

    @Test
    void shouldSendLongPairsInChunks() throws Exception {
        HttpPostRequestEncoder encoder = encoder(false, EncoderMode.RFC1738);
        encoder.addBodyAttribute("k", "x".repeat(20_000));
        HttpRequest request = encoder.finalizeRequest();
        assertTrue(encoder.isChunked() && request.isChunked());
        assertEquals("k=" + "x".repeat(20_000), new String(content(encoder, request), UTF_8));
    }

    // ---- the order of calls ----

    @Test
    void shouldRefuseMethodsWithoutAForm() throws Exception {
        for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE, HttpMethod.TRACE)) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
            assertThrows(ErrorDataEncoderException.class, () -> new HttpPostRequestEncoder(request, false));
        }
    }

    @Test
    void shouldBeFinalizedOnceAndBeforeItIsSent() throws Exception {
        HttpPostRequestEncoder encoder = encoder(true, EncoderMode.HTML5);
        assertThrows(ErrorDataEncoderException.class, encoder::nextChunk);
        encoder.finalizeRequest();
        assertThrows(ErrorDataEncoderException.class, encoder::finalizeRequest);
        assertThrows(ErrorDataEncoderException.class, () -> encoder.addBodyAttribute("a", "1"));
    }

    @Test
    void shouldReplaceAddedParts() throws Exception {
        HttpPostRequestEncoder encoder = encoder(false, EncoderMode.HTML5);
        encoder.addBodyAttribute("a", "1");
        List<InterfaceHttpData> replaced = new ArrayList<>(List.of(new MemoryAttribute("b", "2")));
        encoder.setBodyHttpDatas(replaced);
        encoder.addBodyHttpData(new MemoryFileUpload("f", "n", "text/plain", null, null, 0));
        assertThrows(ErrorDataEncoderException.class, () -> encoder.addBodyHttpData(new InternalAttribute(UTF_8)));
        assertEquals(2, encoder.getBodyListAttributes().size());
        assertEquals("b=2&f=n", encoder.finalizeRequest().getContent().toString(UTF_8));
    }

    @Test
    void shouldNotDeleteAddedFiles() throws Exception {
        HttpPostRequestEncoder encoder = filled(EncoderMode.HTML5);
        encoder.cleanFiles();
        assertTrue(small.exists() && large.exists());
    }
}
