package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server with {@link HttpServerCodec}, tested with curl. */
class HttpCurlTest {
    private static final int TIMED_OUT = 28;

    private ReportingServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireCurl() throws Exception {
        Curl.require();
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private void serve(SocketTransport transport) {
        server = new ReportingServer(transport, true);
    }

    private Curl.Ended curl(Path input, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("-sS", "--noproxy", "*", "--max-time", "20"));
        for (String argument : arguments) {
            command.add(
                    argument.startsWith("/") && !argument.startsWith(folder.toString())
                            ? server.url(argument)
                            : argument);
        }
        return Curl.run(command, input);
    }

    private String output(String... arguments) throws IOException {
        Curl.Ended ended = curl(null, arguments);
        assertEquals(0, ended.code(), ended.output());
        return ended.output();
    }

    private static String report(String method, String target, byte[] content) {
        return ReportingServer.report(method, target, content, "-");
    }

    private static String get(String target) {
        return report("GET", target, new byte[0]);
    }

    private Path file(int length) throws IOException {
        byte[] content = new byte[length];
        Seeds.random().nextBytes(content);
        return Files.write(folder.resolve("content"), content);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAConnectionForSeveralRequests(SocketTransport transport) throws IOException {
        serve(transport);
        String connections = "-w%{http_version} %{num_connects} new\n";
        assertEquals(
                get("/1") + "1.1 1 new\n" + get("/2") + "1.1 0 new\n" + get("/3?a=b") + "1.1 0 new\n",
                output(connections, "/1", "/2", "/3?a=b"));
        assertEquals(
                ReportingServer.CHUNKS + "1.1 1 new\n" + get("/2") + "1.1 0 new\n",
                output(connections, "/chunks", "/2"));
        assertEquals(
                get("/1") + "1.1 1 new\n" + get("/2") + "1.1 1 new\n",
                output(connections, "-H", "Connection: close", "/1", "/2"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSupportVersion10(SocketTransport transport) throws IOException {
        serve(transport);
        String connections = "-w%{num_connects} new\n";
        assertEquals(
                get("/1") + "1 new\n" + get("/2") + "1 new\n",
                output(connections, "--http1.0", "-H", "Connection: close", "/1", "/2"));
        assertEquals(
                get("/1") + "1 new\n" + get("/2") + "0 new\n",
                output(connections, "--http1.0", "-H", "Connection: keep-alive", "/1", "/2"));
        String unframed = output("--http1.0", "-i", "/chunks");
        assertTrue(unframed.endsWith("\r\n\r\n" + ReportingServer.CHUNKS), unframed);
        assertTrue(unframed.contains("Connection: close"), unframed);
        assertFalse(unframed.contains("Transfer-Encoding"), unframed);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerHeadWithoutContent(SocketTransport transport) throws IOException {
        serve(transport);
        String heads =
                output("-I", "-w%{http_code} %{num_connects} %{size_download}\n", "/long", "/chunks", "/204", "/304");
        assertTrue(heads.contains("Content-Length: " + ReportingServer.LONG + "\r\n"), heads);
        assertTrue(heads.contains("Transfer-Encoding: chunked\r\n"), heads);
        for (String line : List.of("200 1 0", "200 0 0", "204 0 0", "304 0 0")) {
            assertTrue(heads.contains("\r\n\r\n" + line + "\n"), heads);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendNoContentWithAStatusThatHasNone(SocketTransport transport) throws IOException {
        serve(transport);
        assertEquals(
                "204 1 0\n205 0 0\n304 0 0\n" + get("/404") + "404 0 "
                        + get("/404").length() + "\n",
                output("-w%{http_code} %{num_connects} %{size_download}\n", "/204", "/205", "/304", "/404"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReceiveForms(SocketTransport transport) throws IOException {
        serve(transport);
        assertEquals(
                report("POST", "/form", "a=b&c=d".getBytes(ISO_8859_1)),
                output("--data", "a=b", "--data", "c=d", "/form"));
        assertEquals(report("PATCH", "/x", "y".getBytes(ISO_8859_1)), output("-X", "PATCH", "--data", "y", "/x"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReceiveContentOfUnknownLength(SocketTransport transport) throws IOException {
        serve(transport);
        Path file = file(300_000);
        for (String expect : List.of("Expect:", "Expect: 100-continue")) {
            Curl.Ended ended = curl(file, "-X", "POST", "-T", "-", "-H", expect, "/up");
            assertEquals(new Curl.Ended(0, report("POST", "/up", Files.readAllBytes(file))), ended);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetTheClientContinueWithLongContent(SocketTransport transport) throws IOException {
        serve(transport);
        Path file = file(3 << 20);
        String printed = output(
                "-v", "--expect100-timeout", "20", "-H", "Expect: 100-continue", "--data-binary", "@" + file, "/up");
        assertTrue(printed.contains("< HTTP/1.1 100 Continue"), printed);
        assertTrue(printed.contains(report("POST", "/up", Files.readAllBytes(file))), printed);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheClientFromSendingWhatIsRefused(SocketTransport transport) throws IOException {
        serve(transport);
        // With the default wait, curl would start to send while the refusal is on its way.
        String printed = output(
                "--expect100-timeout",
                "20",
                "-H",
                "Expect: 100-continue",
                "-w%{http_code} %{size_upload}",
                "--data-binary",
                "@" + file(3 << 20),
                "/refuse");
        assertTrue(printed.startsWith("413 0"), printed);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeOthersWhileOneClientGivesUp(SocketTransport transport) throws IOException {
        serve(transport);
        Curl.Ended impatient = curl(null, "--max-time", "0.2", "/silent");
        assertEquals(TIMED_OUT, impatient.code(), impatient.output());
        assertEquals(get("/1"), output("/1"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendTrailersAndChunks(SocketTransport transport) throws IOException {
        serve(transport);
        assertEquals("5\r\none, \r\n5\r\ntwo, \r\n5\r\nthree\r\n0\r\nX-Sum: 15\r\n\r\n", output("--raw", "/chunks"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompressOnRequest(SocketTransport transport) throws IOException {
        serve(transport);
        String facts = "-w%{size_download} %{num_connects}";
        assertEquals("x".repeat(ReportingServer.LONG), output("--compressed", "/long"));
        String printed = output("--compressed", "-o", folder.resolve("out").toString(), facts, "/long");
        assertTrue(Integer.parseInt(printed.split(" ")[0]) < ReportingServer.LONG / 100, printed);
        assertEquals(ReportingServer.CHUNKS, output("--compressed", "/chunks"));
        Path file = file(100_000);
        assertEquals(
                report("POST", "/up", Files.readAllBytes(file)),
                output("--compressed", "-H", "Expect: 100-continue", "--data-binary", "@" + file, "/up"));
    }
}
