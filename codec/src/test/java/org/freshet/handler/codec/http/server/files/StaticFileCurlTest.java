package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.freshet.handler.codec.http.Curl;
import org.freshet.handler.codec.http.server.files.FileServer.Kind;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files downloaded with curl. */
@Tag("crypto")
class StaticFileCurlTest {
    private static final int LARGE = 3 << 20;
    private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    private Path root;
    private Kind kind;
    private FileServer server;
    private byte[] content;

    @BeforeAll
    static void requireCurl() throws Exception {
        Curl.require();
    }

    @BeforeEach
    void makeFiles() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        content = new byte[LARGE];
        Seeds.random().nextBytes(content);
        write("large.bin", content);
        write("page.html", "<p>page ".repeat(1000).getBytes(ISO_8859_1));
        write("plain.css", "p {} ".repeat(1000).getBytes(ISO_8859_1));
        Files.createDirectory(root.resolve("docs"));
        write("docs/index.html", "docs".getBytes(ISO_8859_1));
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(root.resolve("page.html.gz")))) {
            gzip.write("<p>page ".repeat(1000).getBytes(ISO_8859_1));
        }
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.setLastModifiedTime(Files.write(root.resolve(name), bytes), FileTime.from(MODIFIED));
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private void serve(Kind kind) throws Exception {
        this.kind = kind;
        server =
                new FileServer(kind, StaticFiles.under(root).precompressed(true).build());
    }

    private String curl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-sSk", "--noproxy", "*", "--max-time", "20"));
        if (kind.isHttp2()) {
            command.add(kind.isSecure() ? "--http2" : "--http2-prior-knowledge");
        }
        for (String argument : arguments) {
            boolean target = argument.startsWith("/") && !argument.startsWith(folder.toString());
            command.add(target ? server.url(argument) : argument);
        }
        Curl.Ended ended = Curl.run(command, null);
        assertEquals(0, ended.code(), ended.output());
        return ended.output();
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    private byte[] downloaded() throws IOException {
        return Files.readAllBytes(folder.resolve("out"));
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_2_TLS", mode = EnumSource.Mode.EXCLUDE)
    void shouldDownload(Kind kind) throws Exception {
        serve(kind);
        assertEquals("200 " + LARGE, curl("-o", out(), "-w%{http_code} %{size_download}", "/large.bin"));
        assertArrayEquals(content, downloaded());
        String head = curl("-I", "/large.bin");
        assertTrue(head.startsWith(kind.isHttp2() ? "HTTP/2 200 \r\n" : "HTTP/1.1 200 OK\r\n"), head);
        String fields = head.toLowerCase(Locale.ROOT);
        assertTrue(fields.contains("content-length: " + LARGE + "\r\n"), head);
        assertTrue(fields.contains("vary: origin\r\n"), head);
        assertEquals("404", curl("-o", out(), "-w%{http_code}", "/nothing"));
        assertEquals("400", curl("--path-as-is", "-o", out(), "-w%{http_code}", "/../../etc/passwd"));
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_2_TLS", mode = EnumSource.Mode.EXCLUDE)
    void shouldDownloadRanges(Kind kind) throws Exception {
        serve(kind);
        assertEquals("206", curl("-r", "100-199999", "-o", out(), "-w%{http_code}", "/large.bin"));
        assertArrayEquals(Arrays.copyOfRange(content, 100, 200_000), downloaded());
        String parts = curl("-r", "0-4,1000-1004,-5", "/page.html");
        assertEquals(4, parts.split("\r\n?--|^--").length - 1, parts);
        assertTrue(parts.contains("Content-Range: bytes 7995-7999/8000\r\n\r\npage \r\n--"), parts);
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_2_TLS", mode = EnumSource.Mode.EXCLUDE)
    void shouldResumeADownload(Kind kind) throws Exception {
        serve(kind);
        Files.write(Path.of(out()), Arrays.copyOf(content, 1_000_000));
        assertEquals(
                "206 " + (LARGE - 1_000_000),
                curl("-C", "-", "-o", out(), "-w%{http_code} %{size_download}", "/large.bin"));
        assertArrayEquals(content, downloaded());
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_2_TLS", mode = EnumSource.Mode.EXCLUDE)
    void shouldDownloadOnlyNewerFiles(Kind kind) throws Exception {
        serve(kind);
        for (String date : List.of("Fri, 02 Jan 2026 03:04:05 GMT", "Sat, 03 Jan 2026 00:00:00 GMT")) {
            assertEquals("304 0", curl("-z", date, "-o", out(), "-w%{http_code} %{size_download}", "/large.bin"));
        }
        String before = "Fri, 02 Jan 2026 03:04:04 GMT";
        assertEquals("200", curl("-z", before, "-o", out(), "-w%{http_code}", "/large.bin"));
        assertEquals("412", curl("-z", "-" + before, "-o", out(), "-w%{http_code}", "/large.bin"));
        Path etag = folder.resolve("etag");
        curl("--etag-save", etag.toString(), "-o", out(), "/large.bin");
        assertEquals("304", curl("--etag-compare", etag.toString(), "-o", out(), "-w%{http_code}", "/large.bin"));
    }

    @ParameterizedTest
    @EnumSource(names = "HTTP_2_TLS", mode = EnumSource.Mode.EXCLUDE)
    void shouldDownloadCompressed(Kind kind) throws Exception {
        serve(kind);
        assertEquals("<p>page ".repeat(1000), curl("--compressed", "/page.html"));
        assertEquals("p {} ".repeat(1000), curl("--compressed", "/plain.css"));
        long precompressed = Files.size(root.resolve("page.html.gz"));
        assertEquals(
                "" + precompressed,
                curl("-H", "Accept-Encoding: gzip", "-o", out(), "-w%{size_download}", "/page.html"));
        assertArrayEquals(Files.readAllBytes(root.resolve("page.html.gz")), downloaded());
        assertEquals("5000", curl("-o", out(), "-w%{size_download}", "/plain.css"));
    }

    /** In plaintext, curl before version 8 cannot reuse an HTTP/2 connection. */
    @ParameterizedTest
    @EnumSource(names = "HTTP_2", mode = EnumSource.Mode.EXCLUDE)
    void shouldKeepTheConnection(Kind kind) throws Exception {
        serve(kind);
        String facts = curl(
                "-w%{http_code} %{num_connects}\n",
                "-o",
                out(),
                "/large.bin",
                "-o",
                out(),
                "/nothing",
                "-o",
                out(),
                "/page.html",
                "-o",
                out(),
                "/large.bin");
        assertEquals("200 1\n404 0\n200 0\n200 0\n", facts);
        assertEquals("docs 1", curl("-L", "-w %{num_connects}", "/docs"));
        assertArrayEquals(content, downloaded());
    }
}
