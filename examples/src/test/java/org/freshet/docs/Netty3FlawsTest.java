package org.freshet.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelUpstreamHandler;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.handler.codec.compression.ZlibDecoder;
import org.jboss.netty.handler.codec.compression.ZlibWrapper;
import org.jboss.netty.handler.codec.embedder.CodecEmbedderException;
import org.jboss.netty.handler.codec.embedder.DecoderEmbedder;
import org.jboss.netty.handler.codec.embedder.EncoderEmbedder;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpChunkAggregator;
import org.jboss.netty.handler.codec.http.HttpClientCodec;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpRequestDecoder;
import org.jboss.netty.handler.codec.http.HttpRequestEncoder;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jboss.netty.handler.codec.http.multipart.DiskAttribute;
import org.jboss.netty.handler.ssl.SslHandler;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Shows that Netty 3.10.6, the last of its line, has the flaws described in {@code docs/migration/advisories.md}. */
class Netty3FlawsTest {
    private static final Path PAGES = Path.of("..", "docs");
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LAST_CHUNK = "0\r\n\r\n";
    private static final int MANY = 5_000;

    /** By identifier: whether the flaw is present. */
    private final Map<String, Callable<Boolean>> flaws = new TreeMap<>();

    Netty3FlawsTest() {
        flaws.put("CVE-2019-16869", () -> readsAsChunked(POST + "Transfer-Encoding : chunked\r\n\r\n"));
        flaws.put("CVE-2019-20444", () -> isAccepted(POST + "Content-Length\r\n\r\n"));
        flaws.put("CVE-2019-20445", () -> isAccepted(POST + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"));
        flaws.put(
                "CVE-2020-7238",
                () -> readsAsChunked(
                        "POST / HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: a\r\nContent-Length: 1\r\n\r\n"));
        flaws.put("CVE-2021-43797", () -> readsAsChunked(POST + "\u000bTransfer-Encoding: chunked\r\n\r\n"));
        flaws.put("CVE-2025-58056", () -> isAccepted(CHUNKED + "1\nx\n0\n\n"));
        flaws.put("CVE-2026-33870", () -> isAccepted(CHUNKED + "1;a=\"\r\nX\r\n" + LAST_CHUNK));
        flaws.put(
                "CVE-2026-42581",
                () -> readsAsChunked("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n"));
        flaws.put(
                "CVE-2026-89044",
                () -> readsAsChunked(POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n"));
        flaws.put("CVE-2026-50020", () -> isAccepted("\u0000\u0001GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        flaws.put("CVE-2026-93566", () -> isAccepted(CHUNKED + "\u00011\r\nx\r\n" + LAST_CHUNK));
        flaws.put("CVE-2026-93574", () -> isAccepted(CHUNKED + "1  \r\nx\r\n" + LAST_CHUNK));
        flaws.put(
                "CVE-2026-93491",
                () -> decode("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(MANY)).size() == MANY);
        flaws.put("CVE-2025-67735", () -> writesTwoLines(request("/ HTTP/1.1\r\nX: y")));
        flaws.put("CVE-2026-41417", () -> {
            HttpRequest request = request("/");
            request.setUri("/ HTTP/1.1\r\nX: y");
            return writesTwoLines(request);
        });
        flaws.put("CVE-2025-12642", Netty3FlawsTest::makesAHeaderOfATrailer);
        flaws.put("CVE-2026-42584", Netty3FlawsTest::takesAnInterimResponseForTheAnswer);
        flaws.put("CVE-2020-11612", Netty3FlawsTest::inflatesWithoutLimit);
        flaws.put("CVE-2021-21290", Netty3FlawsTest::leavesFormsReadable);
        flaws.put("CVE-2023-4586", Netty3FlawsTest::verifiesNoName);
    }

    private static List<Object> decode(String bytes, ChannelUpstreamHandler... handlers) {
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(handlers);
        decoder.offer(ChannelBuffers.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
        List<Object> messages = new ArrayList<>();
        for (Object message = decoder.poll(); message != null; message = decoder.poll()) {
            messages.add(message);
        }
        return messages;
    }

    private static List<Object> decode(String bytes) {
        return decode(bytes, new HttpRequestDecoder());
    }

    /** Throws the decoder's exception. */
    private static boolean isAccepted(String bytes) {
        return decode(bytes).get(0) instanceof HttpRequest;
    }

    private static boolean readsAsChunked(String head) {
        return ((HttpRequest) decode(head + LAST_CHUNK).get(0)).isChunked();
    }

    private static HttpRequest request(String target) {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
    }

    private static boolean writesTwoLines(HttpRequest request) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new HttpRequestEncoder());
        encoder.offer(request);
        return encoder.poll().toString(StandardCharsets.US_ASCII).startsWith("GET / HTTP/1.1\r\nX: y");
    }

    private static boolean makesAHeaderOfATrailer() {
        String bytes = CHUNKED + "0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";
        HttpRequest request = (HttpRequest) decode(bytes, new HttpRequestDecoder(), new HttpChunkAggregator(1000))
                .get(0);
        return request.headers().contains("X-Forwarded-For");
    }

    /**
     * The response to HEAD, which follows, is then mistaken for the response to GET, and the bytes after it for its
     * content.
     */
    private static boolean takesAnInterimResponseForTheAnswer() {
        DecoderEmbedder<Object> client = new DecoderEmbedder<>(new HttpClientCodec());
        Channel channel = client.getPipeline().getChannel();
        Channels.write(channel, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/1"));
        Channels.write(channel, request("/2"));
        String answers = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        try {
            client.offer(ChannelBuffers.copiedBuffer(answers, StandardCharsets.US_ASCII));
            return false;
        } catch (CodecEmbedderException e) {
            return e.getCause().getMessage().contains("/1.1");
        }
    }

    private static boolean inflatesWithoutLimit() throws IOException {
        int bytes = 16 << 20;
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(deflated)) {
            out.write(new byte[bytes]);
        }
        DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ZlibDecoder(ZlibWrapper.GZIP));
        decoder.offer(ChannelBuffers.wrappedBuffer(deflated.toByteArray()));
        return decoder.poll().readableBytes() == bytes;
    }

    private static boolean leavesFormsReadable() throws IOException {
        DiskAttribute field = new DiskAttribute("password");
        field.setContent(ChannelBuffers.copiedBuffer("secret", StandardCharsets.US_ASCII));
        File file = field.getFile();
        try {
            return Files.getPosixFilePermissions(file.toPath()).contains(PosixFilePermission.GROUP_READ);
        } finally {
            field.delete();
        }
    }

    private static boolean verifiesNoName() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("a.example", 443);
        engine.setUseClientMode(true);
        assertTrue(new SslHandler(engine).getEngine() == engine);
        return engine.getSSLParameters().getEndpointIdentificationAlgorithm() == null;
    }

    @TestFactory
    List<DynamicTest> shouldShowThatNetty3HasTheFlaw() {
        return flaws.entrySet().stream()
                .map(flaw -> DynamicTest.dynamicTest(
                        flaw.getKey(), () -> assertTrue(flaw.getValue().call())))
                .toList();
    }

    @Test
    void shouldMatchThePage() {
        assertEquals(
                flaws.keySet(),
                MarkdownPage.read(PAGES.resolve("migration/advisories.md")).firstColumn("Shown by a test"));
    }

    @Test
    void shouldHaveATestThatFreshetIsNotAffected() throws IOException {
        SecurityPage page = new SecurityPage("", Files.readString(PAGES.resolve("security/advisories.md")), "");
        Set<String> tested = page.advisories().stream()
                .filter(advisory -> advisory.status() == SecurityPage.Status.TESTED)
                .flatMap(advisory -> advisory.vulnerabilities().stream())
                .map(SecurityPage.Vulnerability::name)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> missing = new TreeSet<>(flaws.keySet());
        missing.removeAll(tested);
        assertEquals(Set.of(), missing);
    }
}
