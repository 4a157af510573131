package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input with which a peer could try to make a handler spin, hang or allocate memory. Each case must end by itself. */
@Tag("crypto")
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MaliciousPeerTest {
    private final SslHandler handler = newServerHandler();
    private final MemoryChannel server = MemoryChannel.connected(handler);

    private static SslHandler newServerHandler() {
        try {
            return Certificates.server().build().newHandler();
        } catch (SSLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "\0\0\0\0\0\0\0\0", "\r\n\r\n\r\n"})
    void shouldCloseOnPlainBytes(String plain) {
        server.receive(ChannelBuffers.copiedBuffer(plain, US_ASCII));
        List<Throwable> caught = server.takeCaught();
        assertInstanceOf(NotSslRecordException.class, caught.get(0));
        assertEquals(1, caught.size());
        assertFalse(server.isOpen());
        assertEquals(caught.get(0), handler.handshake().getCause());
        assertEquals(List.of(), server.takeWritten());
    }

    /** CVE-2025-24970. */
    @Test
    void shouldWaitForTheRestOfAHeader() throws Exception {
        ChannelBuffer hello = clientHello();
        for (int i = 0; i < hello.writerIndex() - 1; i++) {
            server.receive(hello.copy(i, 1));
            assertTrue(server.isOpen());
            assertEquals(List.of(), server.takeWritten());
        }
        server.receive(hello.copy(hello.writerIndex() - 1, 1));
        assertFalse(server.takeWritten().isEmpty(), "the server answers the complete message");
    }

    @Test
    void shouldWaitForTheRestOfAHeaderThatIsNone() {
        for (String octet : List.of("80", "00", "ff", "16")) {
            server.receive(bytes(octet));
            assertTrue(server.isOpen());
        }
        server.receive(bytes("00"));
        assertFalse(server.isOpen());
        assertInstanceOf(NotSslRecordException.class, server.takeCaught().get(0));
    }

    /** CVE-2014-3488. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "802e0103000015000000100000040000080000150100808000070000c00000ffffffffffffffffffffffffffffffffffff",
                "80030100020000000000000000000000", // shorter than its own fields
                "80000103010000000000000000000000", // of length 0
                "80ff0103010000000000000000000000" // more is announced than sent
            })
    void shouldNotSpinOnAnSsl2Hello(String hello) {
        server.receive(bytes(hello));
        server.receive(bytes(hello));
        server.receive(bytes(hello.repeat(20)));
        assertFalse(server.isOpen());
        assertInstanceOf(SSLException.class, server.takeCaught().get(0));
        assertFalse(handler.handshake().isSuccess());
    }

    @Test
    void shouldRefuseRecordsThatDeclareMoreThanARecordMayHold() {
        ChannelBuffer header = record(TlsRecords.HANDSHAKE, 3, new byte[0]);
        header.setShort(3, TlsRecords.MAX_FRAGMENT_BYTES + 1);
        server.receive(header);
        Throwable refusal = server.takeCaught().get(0);
        assertInstanceOf(NotSslRecordException.class, refusal);
        assertFalse(server.isOpen());
        assertEquals(CloseReason.Kind.TLS, server.getCloseReason().kind());
        assertSame(refusal, server.getCloseReason().cause());
    }

    /** CVE-2023-34462, CVE-2026-45416: here the engine's own limit applies. */
    @Test
    void shouldRefuseAClientHelloThatDeclares16MiB() {
        server.receive(record(TlsRecords.HANDSHAKE, 3, bytes("01ffffff0303").array()));
        for (int i = 0; i < 8 && server.isOpen(); i++) {
            server.receive(record(TlsRecords.HANDSHAKE, 3, new byte[16 * 1024]));
        }
        assertFalse(server.isOpen());
        assertInstanceOf(SSLException.class, server.takeCaught().get(0));
    }

    /** With the same alert as the JDK's sockets. */
    @Test
    void shouldRefuseAClientHelloBeyondTheEnginesLimit() {
        server.receive(record(TlsRecords.HANDSHAKE, 3, bytes("010100010303").array()));
        assertInstanceOf(SSLException.class, server.takeCaught().get(0));
        assertEquals("1503030002020a", written(), "unexpected_message");
        assertFalse(server.isOpen());
    }

    /** The alerts are those of the JDK's sockets, which continue only after an empty part of a handshake message. */
    @ParameterizedTest
    @CsvSource({"20, 0a", "21, 2f", "22, 0a", "23, 0a", "24, 0a"})
    void shouldRefuseAFirstRecordWithoutContent(int type, String alert) {
        server.receive(record(type, 3, new byte[0]));
        List<Throwable> caught = server.takeCaught();
        assertEquals(1, caught.size());
        assertEquals("record of 0 bytes, of type " + type, caught.get(0).getMessage());
        assertEquals("150303000202" + alert, written());
        assertEquals(caught.get(0), handler.handshake().getCause());
        assertFalse(server.isOpen());
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22, 23, 24})
    void shouldNotSpinOnEmptyRecordsDuringAHandshake(int type) throws Exception {
        ChannelBuffer hello = clientHello();
        byte[] start = new byte[10];
        hello.getBytes(TlsRecords.HEADER_BYTES, start);
        server.receive(record(TlsRecords.HANDSHAKE, 3, start));
        assertTrue(server.isOpen());
        server.receive(record(type, 3, new byte[0]));
        assertFalse(server.isOpen());
        assertInstanceOf(SSLException.class, server.takeCaught().get(0));
        assertTrue(written().startsWith("15"), "an alert");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldRefuseARecordWithoutContentOnAnEstablishedConnection(String protocol) throws Exception {
        for (int type = 20; type <= 24; type++) {
            TlsPair pair = TlsPair.of(protocol).established();
            for (int i = 0; i < 100 && pair.server.isOpen(); i++) {
                pair.server.receive(record(type, 3, new byte[0]));
            }
            assertFalse(pair.server.isOpen(), "type " + type);
            assertInstanceOf(SSLException.class, pair.server.takeCaught().get(0));
        }
    }

    private String written() {
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        server.takeWritten().forEach(message -> all.writeBytes((ChannelBuffer) message));
        return ChannelBuffers.hexDump(all);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22, 23, 24})
    void shouldNotSpinOnJunkInARecord(int type) {
        server.receive(record(type, 3, new byte[] {9, 9, 9, 9, 9, 9, 9, 9}));
        server.receive(record(type, 3, new byte[64]));
        assertFalse(server.isOpen());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldRefuseARecordThatWasTamperedWith(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        pair.client.write(ChannelBuffers.copiedBuffer("pay 10", US_ASCII));
        pair.client.write(ChannelBuffers.copiedBuffer("pay 20", US_ASCII));
        ChannelBuffer sent = ChannelBuffers.dynamicBuffer();
        pair.client.takeWritten().forEach(message -> sent.writeBytes((ChannelBuffer) message));
        int last = sent.writerIndex() - 1;
        sent.setByte(last, sent.getByte(last) ^ 1);
        pair.server.receive(sent);
        assertEquals("pay 10", TlsPair.received(pair.server).toString(US_ASCII), "the data before it is delivered");
        assertInstanceOf(SSLException.class, pair.server.takeCaught().get(0));
        assertFalse(pair.server.isOpen());
        assertFalse(pair.serverHandler.getSSLEngineInboundCloseFuture().isSuccess());
    }

    /** A key update must be answered with one; if a peer never read the answers, they would fill the memory. */
    @Test
    void shouldNotAnswerKeyUpdatesForever() throws Exception {
        TlsPair pair = TlsPair.of("TLSv1.3").established();
        SSLEngine client = pair.clientHandler.getEngine();
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer update = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        int answers = 0;
        for (int i = 0; i < 1000 && pair.server.isOpen(); i++) {
            client.beginHandshake();
            assertTrue(client.wrap(nothing, update.clear()).bytesProduced() > 0);
            pair.server.receive(ChannelBuffers.copiedBuffer(update.flip()));
            answers += pair.server.takeWritten().size();
        }
        assertFalse(pair.server.isOpen());
        assertTrue(answers < 100, "answers: " + answers);
        assertEquals(
                "more than 64 records in a row contained no data",
                pair.server.takeCaught().get(0).getMessage());
    }

    /** The same if there is one byte of data between them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotQueueAnswersForAPeerThatDoesNotRead(boolean reads) throws Exception {
        TlsPair pair = TlsPair.of("TLSv1.3").established();
        SSLEngine client = pair.clientHandler.getEngine();
        ByteBuffer records = ByteBuffer.allocate(2 * client.getSession().getPacketBufferSize());
        if (!reads) {
            pair.server.holdWrites();
        }
        for (int i = 0; i < 1000 && pair.server.isOpen(); i++) {
            client.beginHandshake();
            client.wrap(ByteBuffer.allocate(0), records.clear());
            client.wrap(ByteBuffer.allocate(1), records);
            pair.server.receive(ChannelBuffers.copiedBuffer(records.flip()));
        }
        assertEquals(reads, pair.server.isOpen());
        int answers = pair.server.takeWritten().size();
        assertTrue(reads ? answers >= 1000 : answers < 100, "answers: " + answers);
    }

    /** Whatever is sent, the handler ends, waits, or works; each future is complete when the channel is closed. */
    @Test
    void shouldSurviveDamagedHandshakes() throws Exception {
        Random random = Seeds.random();
        SslContext clients = Certificates.client().build();
        SslContext servers = Certificates.server().build();
        for (int round = 0; round < 60; round++) {
            TlsPair pair = new TlsPair(clients.newHandler("localhost", 1), servers.newHandler(), () -> 100);
            int intact = random.nextInt(3);
            for (int i = 0; i < intact; i++) {
                pair.deliver(pair.client, pair.server);
                pair.deliver(pair.server, pair.client);
            }
            for (Object message : pair.client.takeWritten()) {
                ChannelBuffer damaged = ((ChannelBuffer) message).copy();
                for (int i = 0; i <= random.nextInt(3); i++) {
                    int at = random.nextInt(damaged.readableBytes());
                    damaged.setByte(at, random.nextInt());
                }
                pair.server.receive(damaged);
            }
            pair.pump();
            pair.client.close();
            pair.server.close();
            assertTrue(pair.clientHandler.handshake().isDone());
            assertTrue(pair.serverHandler.handshake().isDone());
            assertTrue(pair.serverHandler.getSSLEngineInboundCloseFuture().isDone());
        }
    }

    @Test
    void shouldSurviveRecordsOfRandomBytes() throws Exception {
        Random random = Seeds.random();
        SslContext servers = Certificates.server().build();
        for (int round = 0; round < 200; round++) {
            MemoryChannel channel = MemoryChannel.connected(servers.newHandler());
            for (int i = 0; i < 20 && channel.isOpen(); i++) {
                byte[] fragment = new byte[random.nextInt(100)];
                random.nextBytes(fragment);
                channel.receive(record(20 + random.nextInt(5), 3, fragment));
            }
            channel.close();
        }
    }

    private static ChannelBuffer clientHello() throws SSLException {
        MemoryChannel client =
                MemoryChannel.connected(Certificates.client().build().newHandler("localhost", 1));
        return (ChannelBuffer) client.takeWritten().get(0);
    }

    private static ChannelBuffer bytes(String hex) {
        return ChannelBuffers.wrappedBuffer(HexFormat.of().parseHex(hex));
    }
}
