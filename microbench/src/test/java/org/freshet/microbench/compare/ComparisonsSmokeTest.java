package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Way;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs each comparison once, in a tiny form, with real processes: Freshet's, in one comparison also the first of the
 * others, or with {@code -Dfreshet.test.peers=true} all of them. {@code PeerTest} runs every peer's servers. The load
 * verifies every byte and otherwise fails the run; this test checks that the output is complete. Its figures
 * mean nothing and are ignored, so servers may start fast and run slowly.
 */
class ComparisonsSmokeTest {
    private static final boolean EVERY_PEER = Boolean.getBoolean("freshet.test.peers");

    @TempDir
    Path out;

    @Test
    void shouldReportEveryPeerAndCaseOfEcho() throws Exception {
        String json = run(
                "echo",
                Peer.able(Role.ECHO),
                "--connections 3 --size 1,70000 --depth 2 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 x 1 B x 2", "3 x 70000 B x 2", "serverCpuMicrosPerMessage", "p99Micros");
        assertContains(json, "serverAllocatedBytesPerMessage");
    }

    @Test
    void shouldReportEveryWayOfTwoLoops() throws Exception {
        String json = run(
                "two", Peer.able(Role.RELAY), "--connections 3 --size 100 --depth 2 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 x 100 B x 2, written by its own loop", "3 x 100 B x 2, relayed to the other loop");
        assertContains(json, "3 x 100 B x 2, written by another thread", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPeerOfTls() throws Exception {
        String json = run(
                "tls", Peer.able(Role.TLS), "--connections 3 --size 70000 --depth 2 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 x 70000 B x 2", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPeerOfFanout() throws Exception {
        String json = run(
                "fanout",
                Peer.able(Role.FANOUT),
                "--listeners 5 --size 100 --burst 1,3 --warmup 5 --slices 2 --millis 5");
        assertContains(json, "5 listeners x 100 B x 1", "5 listeners x 100 B x 3", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPipelineOfIdle() throws Exception {
        String json = run(
                "idle",
                List.of(Peer.BARE, Peer.NETTY3, Peer.NETTY4, Peer.FRESHET),
                "--connections 20 --pipelines echo,lines,http,websocket");
        assertContains(json, "20 idle connections, pipeline with an echo handler");
        assertContains(json, "20 idle connections, pipeline with HTTP server codec and handler");
        assertContains(json, "20 idle connections, pipeline with frame decoder, string codec and handler");
        assertContains(json, "liveHeapBytesPerConnection", "connectsPerSecond");
    }

    @Test
    void shouldReportEveryPeerOfHttp() throws Exception {
        String json = run(
                "http",
                Peer.able(Role.HTTP),
                "--connections 3 --depth 1,16 --body 0,100000 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 connections x 1", "3 connections x 16", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPeerOfHttp2() throws Exception {
        String json = run(
                "h2",
                Peer.able(Role.H2),
                "--connections 3 --streams 1,100 --answer 13,300000 --http1 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 connections x 1, 13 B", "3 connections x 100, 300000 B", "3 connections x 1, HTTP/1.1");
        assertContains(json, "serverCpuMicrosPerMessage");
    }

    @Test
    @EnabledIfSystemProperty(named = "freshet.test.peers", matches = "true") // processes take seconds to start
    void shouldReportEveryPeerOfHttp2OverTls() throws Exception {
        String json = run(
                "h2",
                allButNghttpd(),
                "--tls --connections 3 --streams 32 --answer 30000 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 connections x 32, 30000 B, TLS", "serverCpuMicrosPerMessage");
    }

    private static List<Peer> allButNghttpd() {
        return Peer.able(Role.H2).stream().filter(peer -> peer != Peer.NGHTTPD).toList();
    }

    @Test
    void shouldReportEveryPeerOfHttp2WithRequestContent() throws Exception {
        String json = run(
                "h2", allButNghttpd(), "--connections 3 --streams 100 --body 16384 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 connections x 100, each with 16384 bytes", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPeerOfFiles() throws Exception {
        String json = run(
                "files", Peer.able(Role.FILES), "--connections 2 --size 100,300000 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "2 connections x 100 B", "2 connections x 300000 B", "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportEveryPeerOfWebSocket() throws Exception {
        String json = run(
                "websocket",
                Peer.able(Role.WEBSOCKET),
                "--connections 3 --size 70000 --content text,utf8,binary --depth 2 --raw --h2 --warmup 20 --slices 2 --millis 5");
        assertContains(json, "3 x 70000 B x 2, text", "3 x 70000 B x 2, utf8", "3 x 70000 B x 2, raw");
        assertContains(json, "3 x 70000 B x 2, text, HTTP/2");
        assertContains(json, "serverCpuMicrosPerMessage");
    }

    @Test
    void shouldReportTimeAndMemoryOfEveryPeerOfSocketWheel() throws Exception {
        String json = run("socketwheel", Peer.able(Role.OBJECTS), "--clients 70 --exchanges 3 --warmup 1");
        assertContains(json, "70 clients x 3 objects each way", "seconds", "serverResidentMiB", "serverLiveHeapMiB");
        assertPlot("socketwheel-serverResidentMiB.png");
    }

    @Test
    void shouldReportConnectionsForASingleMessage() throws Exception {
        String json = run(
                "short",
                List.of(Peer.BARE, Peer.NETTY3, Peer.NETTY4, Peer.FRESHET),
                "--clients 2 --handlers 3 --warmup 5 --slices 2 --millis 5");
        assertContains(json, "3 handlers, 2 clients x 100 B", "serverAllocatedBytesPerConnection");
    }

    @Test
    void shouldReportCallsWithAndWithoutNagle() throws Exception {
        String json = run(
                "nagle",
                List.of(Peer.BARE, Peer.NETTY3, Peer.NETTY4, Peer.FRESHET),
                "--clients 3 --pieces 2 --server-nodelay on --queues --warmup 5 --slices 2 --millis 20");
        assertContains(json, "Freshet NIO, 3 clients x 10010 B in 2 pieces", "server-on-client-on");
        assertContains(json, "server-on-client-off", "callsPerSecondDeviation", "meanConnectMillis");
        assertContains(json, "clientUnsentBytes", "serverUnreadBytes", "serverUnacceptedConnections");
        assertPlot("nagle-meanConnectMillis.png");
    }

    @Test
    void shouldReportEveryReceiveBufferAndTheSystemsOwn() throws Exception {
        String json = run(
                "buffers",
                List.of(Peer.NETTY3, Peer.NETTY4, Peer.FRESHET),
                "--buffers 18304,36608 --warmup 5 --slices 1 --millis 5");
        assertContains(json, "receive buffer of 18304 B", "receive buffer of 36608 B");
        assertContains(json, "receive buffer chosen by the system");
        assertContains(json, "meanMillis", "decoderCallsPerRequest", "receiveBufferBytes");
        assertPlot("buffers-curves.png");
    }

    @Test
    void shouldReportEveryWayToRunABlockingHandler() throws Exception {
        String json = run(
                "ordered",
                List.of(Peer.NETTY3, Peer.NETTY4, Peer.FRESHET),
                "--connections 1,3 --rate 1000,50 --block 5 --seconds 1");
        Way.able().forEach(way -> assertContains(json, "one connection, 1000 requests per second: " + way.label()));
        Way.able().forEach(way -> assertContains(json, "3 connections, 50 requests per second each: " + way.label()));
        assertContains(json, "answersPerSecond", "threadsThatWorked", "inOrderOfCustomers");
    }

    @Test
    void shouldReportEveryPeerOfStart() throws Exception {
        String json = run("start", Peer.able(Role.HTTP), "--starts 1");
        assertContains(json, "millisToFirstAnswer", "serverCpuMillisToFirstAnswer", "residentMibAfterwards");
    }

    @Test
    void shouldRefuseWrongCommandLinesInOneLine() {
        assertRefused("no such comparison: foo; available: ", "foo");
        assertRefused("unknown option: --foo", "echo", "--foo");
        assertRefused("--depth needs a value", "echo", "--depth");
        assertRefused("--depth takes 1 to 10000: 0", "echo", "--depth", "0");
        assertRefused("--size takes 1 to 16777216: x", "echo", "--size", "64,x");
        assertRefused(
                "--peers takes each of " + Peer.ids(Peer.able(Role.ECHO)) + " once: bare",
                "echo",
                "--peers",
                "bare,bare");
        assertRefused("--pin takes one of [apart, across, together, none]: x", "echo", "--pin", "x");
        assertRefused("--ways takes some of [channel, unordered, ", "ordered", "--ways", "channel,x");
        assertRefused("--server-nodelay takes on, off or both: x", "nagle", "--server-nodelay", "x");
        assertRefused("--pipelines takes echo, lines, http or websocket: x", "idle", "--pipelines", "x");
        assertRefused(
                "--connections needs 1000000 descriptors, more than ulimit -n allows: ",
                "idle",
                "--connections",
                "1000000");
    }

    /** Runs a comparison and returns its JSON, after checking what must hold for every comparison. */
    private String run(String name, List<Peer> able, String options) throws Exception {
        List<Peer> peers = able.stream()
                .filter(peer -> EVERY_PEER || peer == Peer.FRESHET || peer == able.get(0) && name.equals("echo"))
                .toList();
        String common = " --rounds 1 --heap 64 --jvm -XX:TieredStopAtLevel=1 --pin none --peers " + Peer.ids(peers)
                + " --out " + out;
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        ByteArrayOutputStream tables = new ByteArrayOutputStream();
        Main.run(
                List.of((name + " " + options + common).split(" ")),
                new Progress(new PrintStream(progress, true), true),
                new PrintStream(tables, true));
        assertPlot(name + ".png");
        String json = Files.readString(out.resolve(name + ".json"));
        for (Peer peer : peers) {
            assertContains(progress.toString(), "round 1 of 1, " + peer.label());
            assertContains(tables.toString(), peer.label());
            assertContains(json, name.equals("nagle") ? peer.label() + ", " : '"' + peer.id() + '"');
        }
        assertContains(tables.toString(), "java: ", "system: ", "processors: ", "pinning: ");
        return json;
    }

    private void assertPlot(String file) throws IOException {
        assertEquals("PNG", new String(Files.readAllBytes(out.resolve(file)), 1, 3, StandardCharsets.US_ASCII));
    }

    private static void assertContains(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> part + " in " + text);
        }
    }

    private static void assertRefused(String message, String... arguments) {
        Progress progress = new Progress(System.err, false);
        var refusal = assertThrows(UsageException.class, () -> Main.run(List.of(arguments), progress, System.out));
        assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
    }
}
