package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("crypto")
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SniHandlerTest {
    /**
     * The time limit for each malicious input, far above what it needs and far below what quadratic work would take.
     */
    private static final int WATCHDOG_SECONDS = 20;

    /** The alert that the JDK's own sockets send. */
    private static final String UNEXPECTED_MESSAGE = "1503030002020a";

    private final List<String> asked = new ArrayList<>();
    private final SslContext localhost = context(Certificates.server());
    private final SslContext other = context(Certificates.server(Certificates.OTHER));

    private static SslContext context(SslContextBuilder builder) {
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new AssertionError(e);
        }
    }

    private SslContext choose(String name) {
        asked.add(name);
        return "other.example".equals(name) ? other : localhost;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 100, Integer.MAX_VALUE})
    void shouldChooseTheCertificateByName(int pieceBytes) throws Exception {
        SslContextBuilder clients =
                SslContextBuilder.forClient().trust(Certificates.LOCALHOST.cert(), Certificates.OTHER.cert());
        for (String host : List.of("other.example", "localhost")) {
            MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
            MemoryChannel client = MemoryChannel.connected(clients.build().newHandler(host, 1));
            client.write(ChannelBuffers.copiedBuffer("hello", US_ASCII));
            exchange(client, server, pieceBytes);
            assertTrue(client.getPipeline().get(SslHandler.class).handshake().isSuccess());
            assertEquals("hello", TlsPair.received(server).toString(US_ASCII));
            assertNull(server.getPipeline().get(SniHandler.class));
        }
        // The JDK does not send names without a dot.
        assertEquals("other.example", asked.get(0));
        assertNull(asked.get(1));
    }

    private static void exchange(MemoryChannel client, MemoryChannel server, int pieceBytes) {
        boolean moved = true;
        while (moved) {
            moved = deliver(client, server, pieceBytes) | deliver(server, client, pieceBytes);
        }
    }

    private static boolean deliver(MemoryChannel from, MemoryChannel to, int pieceBytes) {
        List<Object> written = from.takeWritten();
        for (Object message : written) {
            ChannelBuffer bytes = (ChannelBuffer) message;
            while (bytes.readable() && to.isConnected()) {
                to.receive(bytes.readBytes(Math.min(bytes.readableBytes(), pieceBytes)));
            }
        }
        return !written.isEmpty();
    }

    /** CVE-2026-75595: a first record that is too short to identify a name does not select the default. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 50})
    void shouldPutAFragmentedClientHelloTogether(int fragmentBytes) throws Exception {
        MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
        server.receive(fragmented(clientHello("other.example"), fragmentBytes));
        assertEquals(List.of("other.example"), asked);
        assertFalse(server.takeWritten().isEmpty(), "the TLS handler got all of it");
        assertTrue(server.isOpen());
    }

    @Test
    void shouldRefuseANameThatIsLongerThanAnyHostName() throws Exception {
        String longest = "a.".repeat(127) + "a";
        MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
        server.receive(clientHello(longest));
        assertEquals(List.of(longest), asked);
        for (int length : new int[] {256, 40_000}) {
            server = MemoryChannel.connected(new SniHandler(this::choose));
            server.receive(clientHello("a.".repeat(length / 2 - 1) + "aa"));
            assertRefused(server, "server name of " + length + " bytes exceeds the limit of 255");
        }
        assertEquals(List.of(longest), asked);
    }

    /** CVE-2026-75596. */
    @Test
    @Timeout(WATCHDOG_SECONDS)
    void shouldTakeALongClientHelloOfTinyRecordsInLinearTime() throws Exception {
        ChannelBuffer hello = padded(clientHello("other.example"), 64 * 1024);
        ChannelBuffer wire = fragmented(hello, 1);
        ClientHello reader = new ClientHello(64 * 1024);
        ChannelBuffer received = ChannelBuffers.dynamicBuffer();
        boolean complete = false;
        while (wire.readable()) {
            assertFalse(complete);
            received.writeBytes(wire, Math.min(3, wire.readableBytes()));
            complete = reader.take(received);
        }
        assertTrue(complete);
        assertEquals("other.example", reader.serverName());
        MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
        ChannelBuffer again = fragmented(hello, 1);
        while (again.readable()) {
            server.receive(again.readBytes(Math.min(3, again.readableBytes())));
        }
        assertEquals(List.of("other.example"), asked);
    }

    /** CVE-2023-34462, CVE-2026-45416: refused because of its length field, without allocating memory for it. */
    @Test
    void shouldRefuseAClientHelloThatDeclaresTooMuch() throws Exception {
        for (String start : List.of("01ffffff", "01010000")) {
            MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
            server.receive(record(TlsRecords.HANDSHAKE, 3, bytes(start)));
            assertRefused(server, "bytes exceeds the limit of 65536");
            assertEquals(UNEXPECTED_MESSAGE, written(server));
        }
        MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose, 100, null, Duration.ofMinutes(1)));
        server.receive(clientHello("other.example"));
        assertRefused(server, "bytes exceeds the limit of 100");
        assertEquals(List.of(), asked);
    }

    @Test
    void shouldRefuseInputThatIsNotAClientHello() {
        MemoryChannel alert = MemoryChannel.connected(new SniHandler(this::choose));
        alert.receive(record(TlsRecords.ALERT, 3, new byte[] {2, 40}));
        assertRefused(alert, "expected a ClientHello, got");
        MemoryChannel serverHello = MemoryChannel.connected(new SniHandler(this::choose));
        serverHello.receive(record(TlsRecords.HANDSHAKE, 3, new byte[] {2}));
        assertRefused(serverHello, "expected a ClientHello, got");
        MemoryChannel empty = MemoryChannel.connected(new SniHandler(this::choose));
        empty.receive(record(TlsRecords.HANDSHAKE, 3, new byte[0]));
        assertRefused(empty, "record of 0 bytes");
        assertEquals(UNEXPECTED_MESSAGE, written(empty));
        MemoryChannel plain = MemoryChannel.connected(new SniHandler(this::choose));
        plain.receive(ChannelBuffers.copiedBuffer("GET / HTTP/1.1\r\n", US_ASCII));
        assertRefused(plain, "not a TLS record");
        assertEquals("", written(plain));
        MemoryChannel ssl2 = MemoryChannel.connected(new SniHandler(this::choose));
        ssl2.receive(ChannelBuffers.wrappedBuffer(bytes("802e0103010015000000100000")));
        ssl2.receive(ChannelBuffers.wrappedBuffer(new byte[64]));
        assertRefused(ssl2, "expected a ClientHello, got");
        assertEquals(List.of(), asked);
    }

    /**
     * Every truncation and many modifications of a real one: either refused or a name to choose by, never an endless
     * loop.
     */
    @Test
    void shouldRefuseMalformedClientHellos() throws Exception {
        ChannelBuffer hello = clientHello("other.example");
        int body = hello.readableBytes() - 9;
        for (int length = 1; length < body; length++) {
            byte[] message = new byte[4 + length];
            hello.getBytes(5, message);
            message[1] = 0;
            message[2] = (byte) (length >>> 8);
            message[3] = (byte) length;
            ClientHello reader = new ClientHello(64 * 1024);
            assertTrue(reader.take(record(TlsRecords.HANDSHAKE, 3, message)));
            try {
                String name = reader.serverName();
                assertTrue(name == null || name.equals("other.example"), name);
            } catch (SSLException malformed) {
                assertEquals("malformed ClientHello", malformed.getMessage());
            }
        }
        Random random = Seeds.random();
        for (int round = 0; round < 2000; round++) {
            ChannelBuffer damaged = hello.copy();
            damaged.setByte(9 + random.nextInt(body), random.nextInt());
            ClientHello reader = new ClientHello(64 * 1024);
            assertTrue(reader.take(damaged));
            try {
                reader.serverName();
            } catch (SSLException malformed) {
                assertEquals("malformed ClientHello", malformed.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseAClientWithoutAContext() throws Exception {
        MemoryChannel server = MemoryChannel.connected(new SniHandler(name -> null));
        server.receive(clientHello("other.example"));
        assertRefused(server, "other.example");
        assertEquals("15030300020270", written(server), "unrecognized_name");
    }

    @Test
    void shouldRefuseAClientIfTheChoiceThrows() throws Exception {
        List<Function<String, SslContext>> choices = List.of(
                name -> {
                    throw new IllegalStateException("lookup failed");
                },
                name -> {
                    throw new Error("lookup failed");
                });
        for (Function<String, SslContext> choice : choices) {
            MemoryChannel failing = MemoryChannel.connected(new SniHandler(choice));
            failing.receive(clientHello("other.example"));
            failing.receive(clientHello("other.example"));
            assertRefused(failing, "lookup failed");
            assertEquals("15030300020250", written(failing), "internal_error");
        }
    }

    @Test
    void shouldNotWaitForever() throws Exception {
        FakeTimer timer = new FakeTimer();
        MemoryChannel silent =
                MemoryChannel.connected(new SniHandler(this::choose, 1000, timer, Duration.ofSeconds(10)));
        silent.receive(record(TlsRecords.HANDSHAKE, 3, new byte[] {1}));
        timer.advanceMillis(9_999);
        assertTrue(silent.isOpen());
        timer.advanceMillis(1);
        assertRefused(silent, "no ClientHello within 10000 ms");
        MemoryChannel quick =
                MemoryChannel.connected(new SniHandler(this::choose, 1000, timer, Duration.ofSeconds(10)));
        assertEquals(1, timer.pendingTimeouts());
        quick.receive(clientHello("other.example"));
        assertEquals(0, timer.pendingTimeouts());
        MemoryChannel late = MemoryChannel.connected();
        late.getPipeline().addFirst("tls", new SniHandler(this::choose, 1000, timer, Duration.ofSeconds(10)));
        assertEquals(1, timer.pendingTimeouts());
        late.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldWaitForTenSecondsByDefault() {
        FakeTimer timer = new FakeTimer();
        MemoryChannel silent = MemoryChannel.connected(new SniHandler(this::choose, timer));
        timer.advanceMillis(9_999);
        assertTrue(silent.isOpen());
        timer.advanceMillis(1);
        assertRefused(silent, "no ClientHello within 10000 ms");
    }

    @Test
    void shouldLimitTheTimeAlthoughTheTimerIsStopped() {
        FakeTimer stopped = new FakeTimer();
        stopped.stop();
        MemoryChannel silent =
                MemoryChannel.connected(new SniHandler(this::choose, 1000, stopped, Duration.ofMillis(1)));
        Await.success(silent.getCloseFuture(), "the close");
        assertRefused(silent, "no ClientHello within 1 ms");
    }

    @Test
    void shouldEndAClientSoonIfThereIsNoMemoryForItsTimeLimit() {
        RefusingTimer full = new RefusingTimer(new OutOfMemoryError("the timer's"));
        MemoryChannel silent = MemoryChannel.connected(new SniHandler(this::choose, 1000, full, Duration.ofHours(1)));
        Await.success(silent.getCloseFuture(), "the close");
        assertRefused(silent, "no ClientHello within 3600000 ms");
    }

    @Test
    void shouldLimitTheTimeWithoutATimer() {
        MemoryChannel silent = MemoryChannel.connected(new SniHandler(this::choose, 1000, null, Duration.ofMillis(1)));
        Await.success(silent.getCloseFuture(), "the close");
        assertRefused(silent, "no ClientHello within 1 ms");
    }

    @Test
    void shouldSendNothingBeforeTheChoice() {
        MemoryChannel server = MemoryChannel.connected(new SniHandler(this::choose));
        ChannelFuture written = server.write(ChannelBuffers.copiedBuffer("plain", US_ASCII));
        assertInstanceOf(SSLException.class, written.getCause());
        assertEquals(List.of(), server.takeWritten());
        server.close();
        assertFalse(server.isOpen());
    }

    @Test
    void shouldCheckItsArguments() {
        Function<String, SslContext> any = this::choose;
        assertThrows(NullPointerException.class, () -> new SniHandler(null));
        assertThrows(IllegalArgumentException.class, () -> new SniHandler(any, 0, null, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> new SniHandler(any, 1, null, Duration.ZERO));
    }

    /** The bytes sent, in hexadecimal digits. */
    private static String written(MemoryChannel server) {
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        server.takeWritten().forEach(message -> all.writeBytes((ChannelBuffer) message));
        return ChannelBuffers.hexDump(all);
    }

    private static void assertRefused(MemoryChannel server, String reason) {
        List<Throwable> caught = server.takeCaught();
        assertEquals(1, caught.size(), () -> "" + caught);
        assertTrue(caught.get(0).getMessage().contains(reason), () -> "" + caught);
        assertFalse(server.isOpen());
    }

    /** One record. */
    private static ChannelBuffer clientHello(String name) throws SSLException {
        SSLEngine engine = Certificates.client().build().newEngine(name, 1);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(true);
        return (ChannelBuffer) MemoryChannel.connected(handler).takeWritten().get(0);
    }

    /** The same message in records of {@code fragmentBytes}. */
    private static ChannelBuffer fragmented(ChannelBuffer records, int fragmentBytes) {
        ChannelBuffer wire = ChannelBuffers.dynamicBuffer(records.readableBytes() * 6);
        ChannelBuffer from = records.duplicate();
        while (from.readable()) {
            from.skipBytes(3);
            ChannelBuffer fragment = from.readBytes(from.readUnsignedShort());
            while (fragment.readable()) {
                byte[] part = new byte[Math.min(fragmentBytes, fragment.readableBytes())];
                fragment.readBytes(part);
                wire.writeBytes(record(TlsRecords.HANDSHAKE, 3, part));
            }
        }
        return wire;
    }

    /**
     * The same message with a padding extension before the others that extends it to {@code bytes}; several records.
     */
    private static ChannelBuffer padded(ChannelBuffer hello, int bytes) {
        byte[] old = new byte[hello.readableBytes() - 5];
        hello.getBytes(5, old);
        int extensions = extensionsStart(old);
        int padding = bytes - old.length - 4;
        ChannelBuffer message = ChannelBuffers.buffer(bytes);
        message.writeByte(1);
        message.writeMedium(bytes - 4);
        message.writeBytes(old, 4, extensions - 4);
        message.writeShort(bytes - extensions - 2);
        message.writeShort(21);
        message.writeShort(padding);
        message.writeZero(padding);
        message.writeBytes(old, extensions + 2, old.length - extensions - 2);
        ChannelBuffer records = ChannelBuffers.dynamicBuffer(bytes + 100);
        while (message.readable()) {
            byte[] part = new byte[Math.min(16 * 1024, message.readableBytes())];
            message.readBytes(part);
            records.writeBytes(record(TlsRecords.HANDSHAKE, 3, part));
        }
        return records;
    }

    private static int extensionsStart(byte[] message) {
        int at = 4 + 2 + 32;
        at += 1 + (message[at] & 0xFF);
        at += 2 + ((message[at] & 0xFF) << 8 | message[at + 1] & 0xFF);
        return at + 1 + (message[at] & 0xFF);
    }

    private static byte[] bytes(String hex) {
        return java.util.HexFormat.of().parseHex(hex);
    }
}
