package org.freshet.example.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.httphello.HttpHelloServer;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example's proxy with clients other than Freshet's: raw sockets, the JDK, and programs if installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProxyServerTest {
    private static final int MAX_WAIT_SECONDS = 30;
    private static final String HELLO = "Hello, world!\n";

    @TempDir
    private Path files;

    private final Timer timer = new HashedWheelTimer();
    private final ServerBootstrap web = HttpHelloServer.newBootstrap(timer);
    private final ProxyServer server = new ProxyServer(TargetRules.ANY);
    private final ProxyServer careful = new ProxyServer(TargetRules.PUBLIC);
    private InetSocketAddress proxy;
    private InetSocketAddress carefulProxy;
    private int webPort;

    @BeforeAll
    void start() {
        Channel bound = web.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        webPort = ((InetSocketAddress) bound.getLocalAddress()).getPort();
        proxy = server.bind(0);
        carefulProxy = careful.bind(0);
    }

    @AfterAll
    void stop() {
        careful.close();
        server.close();
        web.releaseExternalResources();
        timer.stop();
    }

    // ---- bytes ----

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(MAX_WAIT_SECONDS * 1000);
        return socket;
    }

    /** The last part of a request for a port of the loopback interface, in hexadecimal. */
    private static String port(int port) {
        return String.format("%04x", port);
    }

    /** A request in which PORT is replaced, and the part of the answer that does not depend on the proxy's own port. */
    private static byte[] request(String request, int port) {
        return request.startsWith("CONNECT")
                ? request.replace("PORT", "" + port).getBytes(ISO_8859_1)
                : HexFormat.of().parseHex(request.replace(" ", "").replace("PORT", port(port)));
    }

    /** Everything in one write, including the bytes for the target; the target echoes until the end of the output. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "04 01 PORT 7f000001 00 | 8",
                "04 01 PORT 00000001 6d6500 6c6f63616c686f737400 | 8",
                "050100 050100 01 7f000001 PORT | 12",
                "050100 050100 03 09 6c6f63616c686f7374 PORT | 12",
                "'CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n' | 19",
            })
    void shouldRelayBytesAfterTheRequestAndTheEndOfEachOutput(String request, int answerBytes) throws Exception {
        byte[] payload = new byte[3_000_000]; // more than the system's buffers hold
        new Random(answerBytes).nextBytes(payload);
        try (ServerSocket target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(proxy)) {
            byte[] head = request(request, target.getLocalPort());
            byte[] first = Arrays.copyOf(head, head.length + 100);
            System.arraycopy(payload, 0, first, head.length, 100);
            client.getOutputStream().write(first);
            try (Socket accepted = target.accept()) {
                accepted.setSoTimeout(MAX_WAIT_SECONDS * 1000);
                Thread writer = new Thread(() -> {
                    try {
                        client.getOutputStream().write(payload, 100, payload.length - 100);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        // the target misses bytes
                    }
                });
                writer.start();
                byte[] received = accepted.getInputStream().readAllBytes(); // until the end of the output
                writer.join();
                assertArrayEquals(payload, received);
                accepted.getOutputStream().write(received); // the other direction is still open
            }
            byte[] answer = client.getInputStream().readAllBytes();
            assertArrayEquals(payload, Arrays.copyOfRange(answer, answerBytes, answer.length));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "04 01 PORT 7f000001 00 | 005b000000000000",
                "04 02 PORT 7f000001 00 | 005b000000000000",
                "050100 050100 01 7f000001 PORT | 050005020001000000000000",
                "050100 050200 01 7f000001 PORT | 050005070001000000000000",
                "050100 050300 01 7f000001 PORT | 050005070001000000000000",
                "050100 050100 05 | 050005080001000000000000",
                "050102 | 05ff",
                "050100 050100 03 0a 323133303730363433 33 PORT | 050005020001000000000000",
            })
    void shouldRefuseWithASocksReply(String request, String answer) throws Exception {
        try (Socket client = connect(carefulProxy)) {
            client.getOutputStream().write(request(request, webPort));
            assertEquals(
                    answer, HexFormat.of().formatHex(client.getInputStream().readAllBytes()));
        }
    }

    @Test
    void shouldReportThatThereIsNoListener() throws Exception {
        int nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = closed.getLocalPort();
        }
        try (Socket client = connect(proxy)) {
            client.getOutputStream().write(request("050100 050100 01 7f000001 PORT", nobody));
            assertEquals(
                    "050005050001000000000000",
                    HexFormat.of().formatHex(client.getInputStream().readAllBytes()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET http://localhost/ HTTP/1.1, 405",
        "CONNECT localhost:PORT HTTP/1.1, 403",
        "CONNECT localhost HTTP/1.1, 400",
        "CONNECT no-such-host.invalid:80 HTTP/1.1, 502",
        "NONSENSE, 400"
    })
    void shouldRefuseWithAnHttpStatus(String line, int status) throws Exception {
        try (Socket client = connect(carefulProxy)) {
            String request = line.replace("PORT", "" + webPort) + "\r\nHost: localhost\r\n\r\n";
            client.getOutputStream().write(request.getBytes(ISO_8859_1));
            String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);
            assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fd00::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "ff02::1"
            })
    void shouldNotBeTreatedAsPublic(String address) throws Exception {
        assertFalse(TargetRules.isPublic(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:2800::1"})
    void shouldBeTreatedAsPublic(String address) throws Exception {
        assertTrue(TargetRules.isPublic(InetAddress.getByName(address)));
    }

    // ---- other clients ----

    @Test
    void shouldServeJdkSockets() throws Exception {
        try (ServerSocket target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(new Proxy(Proxy.Type.SOCKS, proxy))) {
            client.connect(InetSocketAddress.createUnresolved("localhost", target.getLocalPort()));
            try (Socket accepted = target.accept()) {
                accepted.getOutputStream().write("to the client".getBytes(ISO_8859_1));
            }
            assertEquals("to the client", new String(client.getInputStream().readAllBytes(), ISO_8859_1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--socks4 PROXY",
                "--socks4a PROXY",
                "--socks5 PROXY",
                "--socks5-hostname PROXY",
                "--proxytunnel -x PROXY"
            })
    void shouldServeCurl(String way) throws Exception {
        assumeTrue(works("curl", "--version"), "curl is not installed");
        String options = way.replace("PROXY", "127.0.0.1:" + proxy.getPort());
        assertEquals(
                HELLO,
                output(("curl -q -sS --max-time 20 -4 " + options + " http://localhost:" + webPort + "/").split(" ")));
        String refused = "curl -q -sS --max-time 20 -4 "
                + options.replace("" + proxy.getPort(), "" + carefulProxy.getPort()) + " http://localhost:" + webPort;
        assertFalse(works(refused.split(" ")), "the rules let curl through");
    }

    /** {@code pip install PySocks} */
    @ParameterizedTest
    @CsvSource({"SOCKS4, False", "SOCKS4, True", "SOCKS5, False", "SOCKS5, True", "HTTP, True"})
    void shouldServePySocks(String type, String remote) throws Exception {
        String python = System.getProperty("freshet.python", "python3");
        assumeTrue(works(python, "-c", "import socks"), "PySocks is not installed");
        String script = "import socks; s = socks.socksocket(); s.settimeout(20); s.set_proxy(socks." + type
                + ", '127.0.0.1', " + proxy.getPort() + ", rdns=" + remote + "); s.connect(('localhost', " + webPort
                + ")); s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n');\n"
                + "b = b''\nwhile True:\n d = s.recv(4096)\n if not d: break\n b += d\nprint(b.decode())";
        assertTrue(output(python, "-c", script).contains(HELLO));
    }

    /** {@code npm install socks}, and NODE_PATH */
    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void shouldServeNodesSocks(int type) throws Exception {
        assumeTrue(works("node", "-e", "require('socks')"), "npm's socks is not installed");
        String script = "require('socks').SocksClient.createConnection({proxy: {host: '127.0.0.1', port: "
                + proxy.getPort() + ", type: " + type + "}, command: 'connect', destination: {host: 'localhost', port: "
                + webPort + "}}).then(i => { i.socket.pipe(process.stdout); "
                + "i.socket.write('GET / HTTP/1.0\\r\\n\\r\\n'); i.socket.resume() })";
        assertTrue(output("node", "-e", script).contains(HELLO));
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            return run(command).exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitEnd(process);
        return process;
    }

    private static void awaitEnd(Process process) throws InterruptedException {
        boolean ended = process.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended, () -> "still running: " + process.info());
    }

    private String output(String... command) throws IOException, InterruptedException {
        Path file = Files.createTempFile(files, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        awaitEnd(process);
        String output = Files.readString(file, ISO_8859_1);
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
