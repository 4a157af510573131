package org.freshet.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs everything that {@code examples/run} lists, so that no example goes stale. */
@Execution(ExecutionMode.CONCURRENT)
class ExamplesTest {
    /** Arguments for a short run of an example, and its expected last line. */
    private record Run(String lastLine, String... arguments) {}

    /** Their exit codes report whether a rate was reached, which may fail on a loaded machine. */
    private static final Set<String> MEASURED = Set.of("ordered-execution");

    /** Other examples run without arguments, and may print anything. */
    private static final Map<String, Run> RUNS = Map.ofEntries(
            Map.entry("echo", new Run("4 MiB echoed and verified in .*", "4")),
            Map.entry("timeout", new Run(" *the channel is closed")),
            Map.entry("buffer-size", new Run("name a directory to get buffer-size.csv and buffer-size.png", "2")),
            Map.entry("object-streams", new Run("640 objects answered: right", "20")),
            Map.entry("local", new Run("be -> BE!", "to", "be")),
            Map.entry("telnet", new Run("< Have a good day")),
            Map.entry("string", new Run("refused: handler .*LineBasedFrameDecoder.* cannot be added .*")),
            Map.entry("factorial", new Run("1000! has 2568 digits, 4023872600...: right", "1000")),
            Map.entry("discard", new Run("8388608 of 8388608 bytes discarded by the server", "8")),
            Map.entry("localtime", new Run("5 answers to 5 questions: right")),
            Map.entry("uptime", new Run(".* the client is connected again: right")),
            Map.entry("tcp-proxy", new Run("the proxy held at most .*: right", "16")),
            Map.entry("http-proxy", new Run("every protocol gets the page, and none bypasses the rules: right")),
            Map.entry("behind-balancer", new Run("each client is known and counted by its own address: right")),
            Map.entry("unix-socket", new Run("the proxy is trusted, and the file is gone afterwards: right")),
            Map.entry("tls-reload", new Run("a certificate was renewed without a restart: right")),
            Map.entry("portunification", new Run("every protocol is recognized: right")),
            Map.entry("idle", new Run("bob is disconnected, ann is not: right")),
            Map.entry("conversation", new Run("50 players found their numbers .*: right", "50")),
            Map.entry("tap", new Run("\\(deleted; .*")),
            Map.entry(
                    "tracing",
                    new Run("each client's span contains the server's, and that contains the work's: right")),
            Map.entry("limits", new Run("limits: the well-behaved client got its 100 answers")),
            Map.entry("soak", new Run("0 faults: right", "0")), // 0 minutes stand for two seconds
            Map.entry("drain", new Run("drained 3 connections in .*")),
            Map.entry("file-send", new Run("the receiver reports that the hash is right")),
            // Both sides report, and either may be the last.
            Map.entry("securechat", new Run("eve hangs up: .*|\\(server\\) .*")),
            Map.entry("http-hello", new Run("6 of 6 answers are right, .* closed after the last: right")),
            Map.entry("http-service", new Run("0 of 6 answers are wrong: right")),
            Map.entry("http-snoop", new Run("both requests are answered: right")),
            Map.entry("http-upload", new Run("one form is accepted, three are refused: right", "4")),
            Map.entry("http-files", new Run("all answers and the size of the page are as expected: right")),
            Map.entry("http2-hello", new Run("300 of 300 requests answered .*: right", "300")),
            Map.entry("http-push", new Run("no event was missed: right")),
            Map.entry("websocket-echo", new Run("every message came back: right")),
            Map.entry("websocket-chat", new Run("both received everything: right")),
            Map.entry("rtsp-snoop", new Run("all pictures arrived: right")),
            Map.entry("stomp-chat", new Run("each client received what it subscribed to: right")),
            Map.entry("stall", new Run("one stall was reported, .*: right")),
            Map.entry("metrics", new Run("metrics: right", "0", "1")),
            Map.entry("objectecho", new Run("5 answers to 5 objects: right")),
            Map.entry(
                    "ordered-execution",
                    new Run("(in parallel, answered in order|the same, on virtual threads) .* yes", "1")));

    /** Halves that run until they are stopped, or need a server; see the tests below. */
    private static boolean isHalf(Example example) {
        return example.name.endsWith("-server") || example.name.endsWith("-client");
    }

    /** A line of the list. */
    private record Example(String name, String mainClass, String arguments) {
        ExampleProcess start(String... values) throws IOException {
            return new ExampleProcess(name, mainClass, List.of(values));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Example> examples() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("basedir", "."), "examples.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\\|", -1))
                .map(columns -> new Example(columns[0], columns[1], columns[2]))
                .collect(Collectors.toList());
    }

    private static List<Example> wholeExamples() throws IOException {
        return examples().stream().filter(example -> !isHalf(example)).collect(Collectors.toList());
    }

    /** These accept any word as an argument. */
    private static List<Example> examplesWithBadArguments() throws IOException {
        return examples().stream()
                .filter(example -> !example.arguments.contains("..."))
                .collect(Collectors.toList());
    }

    private static Example example(String name) throws IOException {
        return examples().stream()
                .filter(example -> example.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not in the list: " + name));
    }

    @ParameterizedTest
    @MethodSource("wholeExamples")
    void shouldExitByItselfAfterShowingItsPoint(Example example) throws Exception {
        Run run = RUNS.getOrDefault(example.name, new Run(".+"));
        try (ExampleProcess process = example.start(run.arguments)) {
            int exitCode = process.awaitEnd();
            assertTrue(
                    exitCode == 0 || exitCode == 1 && MEASURED.contains(example.name),
                    exitCode + ": " + example + process.seen());
            assertTrue(process.lastLine().matches(run.lastLine), example + process.seen());
        }
    }

    @Test
    void shouldRefuseBadArgumentsInOneLine() throws Exception {
        List<Example> examples = examplesWithBadArguments();
        String[] mainClasses = examples.stream().map(Example::mainClass).toArray(String[]::new);
        try (ExampleProcess process = new ExampleProcess("all examples", "BadArguments", List.of(mainClasses))) {
            for (Example example : examples) {
                String said = process.awaitLine(example.mainClass + ": (.*)").group(1);
                assertTrue(said.contains("(usage: examples/run " + example), example + process.seen());
            }
            assertEquals(0, process.awaitEnd(), process.seen());
            assertEquals(examples.size(), process.lineCount(), process.seen());
        }
    }

    @Test
    void shouldEndWithTheCodeOfWrongUsage() throws Exception {
        try (ExampleProcess process = example("echo-server").start("?")) {
            assertEquals(2, process.awaitEnd(), "echo-server" + process.seen());
            assertEquals(1, process.lineCount(), "echo-server" + process.seen());
        }
    }

    @Test
    void shouldRefuseAMissingDirectoryBeforeAnyWork() throws Exception {
        try (ExampleProcess process = example("buffer-size").start("1", "/no/such/directory")) {
            assertEquals(2, process.awaitEnd(), "buffer-size" + process.seen());
            assertEquals(1, process.lineCount(), "buffer-size" + process.seen());
            assertTrue(process.lastLine().startsWith("not a writable directory: /no/such/directory"));
        }
    }

    @Test
    void shouldWriteTheCurveOfEachReceiveBufferToTheDirectory(@TempDir Path directory) throws Exception {
        try (ExampleProcess process = example("buffer-size").start("--raw", "2", directory.toString())) {
            assertEquals(0, process.awaitEnd(), "buffer-size" + process.seen());
            List<String> rows = Files.readAllLines(directory.resolve("buffer-size.csv"));
            assertEquals(1 + 10 + 1, rows.size(), rows::toString);
            for (String row : rows.subList(4, rows.size())) { // each contains the message
                assertEquals("1.00", row.split(",")[3], rows::toString);
            }
            assertTrue(Files.size(directory.resolve("buffer-size.png")) > 0);
        }
    }

    @Test
    void shouldReportTheRangeOfANumber() throws Exception {
        try (ExampleProcess process = example("factorial").start("many")) {
            assertEquals(2, process.awaitEnd(), "factorial" + process.seen());
            assertTrue(process.lastLine().startsWith("NUMBER must be a whole number from 4 to "), process.lastLine());
            assertTrue(process.lastLine().contains(", not \"many\""), process.lastLine());
        }
    }

    @Test
    void shouldEchoBetweenHalvesAndThroughTheProxy() throws Exception {
        try (ExampleProcess server = example("echo-server").start("0");
                ExampleProcess proxy = example("tcp-proxy-server").start("0", "localhost", port(server))) {
            echoThrough(port(proxy));
        }
    }

    @Test
    void shouldFetchAPageBetweenHalvesThroughTheProxy() throws Exception {
        try (ExampleProcess server = example("http-hello-server").start("0");
                ExampleProcess proxy = example("proxy-server").start("0", "any")) {
            String way = "socks5://127.0.0.1:" + port(proxy);
            try (ExampleProcess client =
                    example("http-proxy-client").start(way, "http://localhost:" + port(server) + "/")) {
                assertEquals(0, client.awaitEnd(), "http-proxy-client" + client.seen());
                assertTrue(client.seen().contains("200 OK"), "http-proxy-client" + client.seen());
            }
        }
    }

    private static void echoThrough(String port) throws Exception {
        try (ExampleProcess uptime = example("uptime-client").start("localhost", port);
                ExampleProcess client = example("echo-client").start("localhost", port, "1")) {
            assertEquals(0, client.awaitEnd(), "echo-client" + client.seen());
            assertTrue(client.lastLine().startsWith("1 MiB echoed and verified"), "echo-client" + client.seen());
            uptime.awaitLine("connected to localhost");
        }
    }

    @Test
    void shouldConverseBetweenTelnetHalves() throws Exception {
        try (ExampleProcess server = example("telnet-server").start("0");
                ExampleProcess client = example("telnet-client").start("localhost", port(server))) {
            client.type("add 20 22\nbye\n");
            assertEquals(0, client.awaitEnd(), "telnet-client" + client.seen());
            assertTrue(client.seen().contains("< 42"), "telnet-client" + client.seen());
        }
    }

    @Test
    void shouldDiscardBetweenHalves() throws Exception {
        try (ExampleProcess server = example("discard-server").start("0");
                ExampleProcess client = example("discard-client").start("localhost", port(server), "1")) {
            assertEquals(0, client.awaitEnd(), "discard-client" + client.seen());
            server.awaitLine("closed after 1048576 bytes");
        }
    }

    @Test
    void shouldShowTheSameRequestOverHttpBetweenHalves() throws Exception {
        try (ExampleProcess server = example("http-snoop-server").start("0");
                ExampleProcess client =
                        example("http-snoop-client").start("http://localhost:" + port(server) + "/a?b=c")) {
            assertEquals(0, client.awaitEnd(), "http-snoop-client" + client.seen());
            for (String line : List.of("path: /a", "parameter: b = c", "cookie: visits = 1", "trailer: Chunks: 2")) {
                assertTrue(client.seen().contains("  " + line + "\n"), line + client.seen());
            }
        }
    }

    @Test
    void shouldUploadAFileBetweenHalves() throws Exception {
        try (ExampleProcess server = example("http-upload-server").start("0");
                ExampleProcess client = example("http-upload-client").start("localhost", port(server), "1")) {
            assertEquals(0, client.awaitEnd(), "http-upload-client" + client.seen());
            assertEquals("size and checksum are right", client.lastLine(), "http-upload-client" + client.seen());
            assertTrue(client.seen().contains("100 % sent"), "http-upload-client" + client.seen());
        }
    }

    @Test
    void shouldServeAnotherHttpClient() throws Exception {
        try (ExampleProcess hello = example("http-hello-server").start("0");
                ExampleProcess push = example("http-push-server").start("0")) {
            assertEquals("Hello, world!\n", fetch(port(hello), "/"));
            String pushPort = push.awaitLine("localhost:(\\d+);").group(1);
            assertTrue(fetch(pushPort, "/").contains("new EventSource('/events')"));
            String polled = fetch(pushPort, "/poll");
            assertTrue(polled.matches("\\d+ it is .*\n"), polled);
        }
    }

    @Test
    void shouldServeTheFilesOfADirectory() throws Exception {
        String directory =
                Path.of(System.getProperty("basedir", "."), "src/main").toString();
        try (ExampleProcess files = example("http-files-server")
                .start("0", Path.of(directory).toAbsolutePath().toString())) {
            String source = "/java/org/freshet/example/httpfiles/HttpFilesServer.java";
            String port = files.awaitLine(":(\\d+);").group(1);
            assertEquals(Files.readString(Path.of(directory + source)), fetch(port, source));
            files.awaitLine("\"GET " + source + " HTTP/1.1\" 200 ");
        }
    }

    @Test
    void shouldEchoMessagesBetweenWebSocketHalves() throws Exception {
        try (ExampleProcess server = example("websocket-echo-server").start("0")) {
            String uri = "ws://localhost:"
                    + server.awaitLine("localhost:(\\d+)/echo").group(1);
            try (ExampleProcess client = example("websocket-echo-client").start(uri + "/echo");
                    ExampleProcess lost = example("websocket-echo-client").start(uri + "/elsewhere")) {
                assertEquals(0, client.awaitEnd(), "websocket-echo-client" + client.seen());
                assertEquals(1, lost.awaitEnd(), "websocket-echo-client" + lost.seen());
                assertTrue(lost.seen().contains("no connection to " + uri), lost.seen());
            }
        }
    }

    @Test
    void shouldServeThePageOfTheChat() throws Exception {
        try (ExampleProcess chat = example("websocket-chat-server").start("0")) {
            String port = chat.awaitLine("localhost:(\\d+) ").group(1);
            assertTrue(fetch(port, "/").contains("new WebSocket("));
        }
    }

    /** A proxy may send a target with scheme and host, and any client may send a malformed query. */
    @ParameterizedTest
    @CsvSource({
        "http-hello-server, http://a/, 200",
        "http-hello-server, http://a?b, 200",
        "http-hello-server, http://a/b, 404",
        "http-push-server, http://a/, 200",
        "http-push-server, http://a/poll?after=0, 200",
        "http-push-server, /poll?after=%, 400",
        "http-snoop-server, http://a/b?c=d, 200",
        "http-snoop-server, /b?c=%, 400",
        "websocket-chat-server, http://a/, 200",
        "metrics, http://a/metrics, 200",
    })
    void shouldAnswerATargetOfAnyForm(String name, String target, int status) throws Exception {
        try (ExampleProcess server = example(name).start("0")) {
            String port = server.awaitLine(":(\\d+)[;/ ]").group(1);
            try (ScriptedPeer client =
                    ScriptedPeer.connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)))) {
                client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                String answer = client.readLine();
                assertTrue(answer.startsWith("HTTP/1.1 " + status), answer + server.seen());
            }
        }
    }

    private static String fetch(String port, String target) throws IOException {
        URLConnection connection = new URL("http://localhost:" + port + target).openConnection(Proxy.NO_PROXY);
        connection.setReadTimeout(30_000);
        connection.setRequestProperty("Connection", "close"); // otherwise the JDK keeps it for some seconds
        try (InputStream content = connection.getInputStream()) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Needs {@code python3} with the package {@code stomp.py}. */
    @Test
    void shouldServeStompPyInEachVersion() throws Exception {
        assumeTrue(runs("python3", "-c", "import stomp"), "python3 with stomp.py");
        String script = Path.of(System.getProperty("basedir", "."), "src/test/resources/stomp_client.py")
                .toString();
        try (ExampleProcess server = example("stomp-chat-server").start("0")) {
            String port = port(server);
            for (String version : List.of("1.0", "1.1", "1.2")) {
                Process client = new ProcessBuilder("python3", "-X", "utf8", script, port, version)
                        .redirectErrorStream(true)
                        .start();
                String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, client.waitFor(), version + ": " + said);
                assertEquals("heard: a:b\\c äß€\n", said, version);
            }
        }
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The address on which a server says it listens. */
    private static String port(ExampleProcess server) throws InterruptedException {
        return server.awaitLine(":(\\d+)(;| to )").group(1);
    }

    @Test
    void shouldListEachExampleOnce() throws Exception {
        Set<String> names = new HashSet<>();
        for (Example example : examples()) {
            assertTrue(names.add(example.name), "listed twice: " + example);
        }
        for (String name : RUNS.keySet()) {
            assertTrue(names.contains(name), "not in the list: " + name);
        }
    }
}
