package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Some cases of Autobahn|Testsuite, from each family, over HTTP/1.1 and with the same results over HTTP/2. Skipped
 * unless {@code wstest} is on the path or {@code -Dfreshet.wstest=FILE} names it; {@code
 * -Dfreshet.wstest.cases="12.*","13.*"} runs others. See the README of the tests.
 */
@Timeout(3600)
class AutobahnTest {
    private static final String CASES = System.getProperty(
            "freshet.wstest.cases",
            "\"1.*\",\"2.*\",\"3.*\",\"4.*\",\"5.*\",\"6.1.*\",\"6.2.*\",\"6.3.*\",\"6.4.*\",\"6.6.*\",\"7.*\",\"9.1.1\",\"9.2.1\","
                    + "\"10.*\",\"12.1.1\",\"12.2.2\",\"13.2.2\",\"13.3.2\",\"13.7.2\"");

    private static final Pattern RESULT = Pattern.compile("\"(\\d+(?:\\.\\d+)+)\": \\{([^}]*)}");
    private static final Pattern BEHAVIOR =
            Pattern.compile("\"(?:behavior|behaviorClose)\": \"[^\"]*\"|\"remoteCloseCode\": \\w+");
    private static final Pattern FINE = Pattern.compile("\"(?:OK|INFORMATIONAL)\"$|remoteCloseCode");

    private final String wstest = wstest();

    @TempDir
    Path directory;

    @BeforeEach
    void requireSuite() {
        assumeTrue(wstest != null, "wstest is not installed");
    }

    private static String wstest() {
        String named = System.getProperty("freshet.wstest");
        return named != null
                ? named
                : Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, "wstest"))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElse(null);
    }

    @Test
    void shouldServeTheSuitesClient() throws Exception {
        Map<String, List<String>> results = serve(AutobahnTest::listenHttp1);

        assertAllPassed(results);
        assertEquals(results, serve(AutobahnTest::listenHttp2), "over HTTP/2");
    }

    @Test
    void shouldTalkToTheSuitesServer() throws Exception {
        Map<String, List<String>> results = talk((testee, relay, suite) -> {});

        assertAllPassed(results);
        assertEquals(results, talk((testee, relay, suite) -> testee.connectHttp2(relay.toHttp1(suite))), "over HTTP/2");
    }

    private interface Listening {
        /** Returns the address for the suite's client. */
        InetSocketAddress begin(AutobahnTestee testee, AutobahnRelay relay);
    }

    private static InetSocketAddress listenHttp1(AutobahnTestee testee, AutobahnRelay relay) {
        return (InetSocketAddress) testee.listen(0).getLocalAddress();
    }

    private static InetSocketAddress listenHttp2(AutobahnTestee testee, AutobahnRelay relay) {
        return relay.toHttp2(testee.listenHttp2().getLocalAddress());
    }

    private Map<String, List<String>> serve(Listening listening) throws Exception {
        try (AutobahnRelay relay = new AutobahnRelay();
                AutobahnTestee testee = new AutobahnTestee()) {
            int port = listening.begin(testee, relay).getPort();
            Process suite = start(
                    "fuzzingclient",
                    "\"servers\": [{\"agent\": \"Freshet\", \"url\": \"ws://127.0.0.1:" + port + "\"}]");
            assertTrue(suite.waitFor(1, TimeUnit.HOURS), "the suite is still running");
        }
        return results();
    }

    private interface Connecting {
        void connect(AutobahnTestee testee, AutobahnRelay relay, InetSocketAddress suite);
    }

    private Map<String, List<String>> talk(Connecting connecting) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        Process suite = start("fuzzingserver", "\"url\": \"ws://127.0.0.1:" + address.getPort() + "\"");
        try (AutobahnRelay relay = new AutobahnRelay();
                AutobahnTestee testee = new AutobahnTestee()) {
            Await.until(() -> isListening(address.getPort()), "the suite's server");
            connecting.connect(testee, relay, address);
            URI server = URI.create("ws://127.0.0.1:" + address.getPort() + "/");
            testee.runCases(server, 1, testee.countCases(server));
        } finally {
            suite.destroy();
            suite.waitFor(10, TimeUnit.SECONDS);
        }
        return results();
    }

    private Process start(String mode, String who) throws IOException {
        Path spec = Files.writeString(
                directory.resolve("spec.json"),
                "{" + who + ", \"outdir\": \"" + directory.resolve("report") + "\", \"cases\": [" + CASES
                        + "], \"exclude-cases\": [], \"exclude-agent-cases\": {}}");
        return new ProcessBuilder(wstest, "-m", mode, "-s", spec.toString(), "-u", "0")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("wstest.log").toFile())
                .start();
    }

    /** The suite cannot choose a port itself and report it. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The suite's verdict about each case, and about how it was closed. */
    private Map<String, List<String>> results() throws IOException {
        Path index = directory.resolve("report").resolve("index.json");
        assertTrue(Files.exists(index), () -> "no report; the suite said: " + log());
        Matcher cases = RESULT.matcher(Files.readString(index));
        Map<String, List<String>> results = new TreeMap<>();
        while (cases.find()) {
            Matcher behavior = BEHAVIOR.matcher(cases.group(2));
            results.put(
                    cases.group(1), behavior.results().map(MatchResult::group).toList());
        }
        assertFalse(results.isEmpty(), () -> "no case in the report; the suite said: " + log());
        Files.delete(index);
        return results;
    }

    private static void assertAllPassed(Map<String, List<String>> results) {
        results.forEach((number, verdicts) -> assertTrue(
                verdicts.stream().allMatch(each -> FINE.matcher(each).find()), () -> number + ": " + verdicts));
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("wstest.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
