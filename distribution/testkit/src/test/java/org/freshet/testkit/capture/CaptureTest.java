package org.freshet.testkit.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Allocations;
import org.freshet.testkit.Replay;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures as tcpdump and Wireshark write them, made by hand. */
class CaptureTest {
    private static final int ETHERNET = 1;
    private static final int MICROS = 0xa1b2c3d4;
    private static final int NANOS = 0xa1b23c4d;
    private static final String ALL = "CONNECT REQUEST:hel REQUEST:lo RESPONSE:HELLO END";
    private static final int HOP_BY_HOP = 0;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("capture");
    }

    private static String events(Path file) throws IOException {
        return Capture.read(file).events().stream()
                .map(event -> event.kind()
                        + (event.bytes().length == 0
                                ? ""
                                : ":" + new String(event.bytes(), StandardCharsets.ISO_8859_1)))
                .collect(Collectors.joining(" "));
    }

    private static Packets onEthernet() {
        return Packets.conversation().each(Packets::ethernet);
    }

    private void assertRefused(String why) {
        IOException refused = assertThrows(IOException.class, () -> Capture.read(file));
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
        assertTrue(refused.getMessage().contains(file.toString()), refused::getMessage);
    }

    // ---- formats ----------------------------------------------------------------------------------------------------

    @Test
    void shouldReadPcapOfEitherByteOrderAndClock() throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            for (int magic : new int[] {MICROS, NANOS}) {
                assertEquals(ALL, events(onEthernet().pcap(file, ETHERNET, magic, order, 65535)));
            }
        }
    }

    @Test
    void shouldReadPcapngOfEitherByteOrder() throws IOException {
        assertEquals(ALL, events(onEthernet().pcapng(file, ByteOrder.LITTLE_ENDIAN, 0)));
        assertEquals(ALL, events(onEthernet().pcapng(file, ByteOrder.BIG_ENDIAN, 0)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 02000000",
        "12, ''",
        "14, ''",
        "101, ''",
        "108, 00000002",
        "113, 00000001000602020202020200000800",
        "228, ''",
        "276, 0800000000000001000100060202020202020000",
        "1, 02020202020204040404040481000005" + "0800",
        "1, 02020202020204040404040488a8000681000005" + "0800",
    })
    void shouldReadEachLinkType(int linkType, String head) throws IOException {
        Packets packets = Packets.conversation().each(packet -> Packets.after(head, packet));
        assertEquals(ALL, events(packets.pcap(file, linkType)));
    }

    @Test
    void shouldReadIpV6WithExtensionHeaders() throws IOException {
        Packets plain = Packets.conversation().each(packet -> Packets.ipV6(packet, 6));
        assertEquals(ALL, events(plain.pcap(file, 229)));
        Packets extended = Packets.conversation()
                .each(packet -> Packets.ipV6(packet, HOP_BY_HOP, 60, 0, 1, 4, 0, 0, 0, 0, 6, 0, 1, 4, 0, 0, 0, 0));
        assertEquals(ALL, events(extended.pcap(file, 101)));
    }

    // ---- order ------------------------------------------------------------------------------------------------------

    @Test
    void shouldPutSegmentsInOrder() throws IOException {
        Packets twice = Packets.conversation().repeat(6, 5, 4, 3, 2, 1, 0);
        assertEquals(ALL, events(twice.pcap(file, 101)));
        Packets swapped = Packets.conversation().repeat(3, 4).without(5);
        assertEquals(ALL, events(swapped.pcap(file, 101)));
        assertEquals(
                ALL, events(Packets.conversation(-3, -4).repeat(3, 4).without(5).pcap(file, 101)));
    }

    @Test
    void shouldKeepEarlyBytesWhenFewerAreSentAgain() throws IOException {
        Packets packets = Packets.conversation()
                .without(3) // "hel" comes late, and "lo" is sent twice, in part and without bytes
                .request(4, Packets.ACK, 6, "l")
                .request(4, Packets.ACK, 6, "")
                .request(1, Packets.ACK, 1, "hel");
        assertEquals("CONNECT RESPONSE:HELLO REQUEST:hel REQUEST:lo END", events(packets.pcap(file, 101)));
    }

    @Test
    void shouldTakeTheDataOfASyn() throws IOException {
        Packets packets = new Packets(1, 1)
                .request(0, Packets.SYN, 0, "hel")
                .request(0, Packets.SYN, 0, "hel")
                .answer(0, Packets.SYN | Packets.ACK, 4, "HEL")
                .request(1, Packets.ACK, 4, "hello")
                .answer(4, Packets.ACK, 6, "LO");
        assertEquals("CONNECT REQUEST:hel RESPONSE:HEL REQUEST:lo RESPONSE:LO", events(packets.pcap(file, 101)));
    }

    // ---- what is missing --------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void shouldRefuseACaptureWithALostPacket(int lost) throws IOException {
        Packets.conversation().without(lost).pcap(file, 101);
        assertRefused("bytes of the connection from 0a000001:40000 are missing");
    }

    @Test
    void shouldRefuseACaptureThatLacksAnAcknowledgedAnswer() throws IOException {
        new Packets(1, 1)
                .request(0, Packets.SYN, 0, "")
                .answer(0, Packets.SYN | Packets.ACK, 1, "")
                .request(1, Packets.ACK, 1, "hello")
                .request(6, Packets.ACK, 9, "")
                .pcap(file, 101);
        assertRefused("are missing");
    }

    @Test
    void shouldRefuseALossInAConnectionWhoseAddressesAreUsedAgain() throws IOException {
        new Packets(1, 1)
                .request(0, Packets.SYN, 0, "")
                .answer(0, Packets.SYN | Packets.ACK, 1, "")
                .request(9, Packets.ACK, 1, "late")
                .request(1000, Packets.SYN, 0, "")
                .pcap(file, 101);
        assertRefused("are missing");
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 50, 54, 56})
    void shouldRefuseTruncatedPackets(int maxBytes) throws IOException {
        onEthernet().pcap(file, ETHERNET, MICROS, ByteOrder.LITTLE_ENDIAN, maxBytes);
        assertRefused("packets are truncated: capture with tcpdump -s 0");
    }

    @Test
    void shouldRefuseWhatItCannotRead() throws IOException {
        onEthernet().pcap(file, 105);
        assertRefused("link type 105 is not supported");
        onEthernet().pcapng(file, ByteOrder.LITTLE_ENDIAN, 7);
        assertRefused("packet of interface 7, but the section has 1");
        Packets.conversation()
                .each(packet -> {
                    packet[6] = 0x20; // more fragments
                    return packet;
                })
                .pcap(file, 101);
        assertRefused("in fragments");
        Files.write(file, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0});
        assertRefused("unpack a compressed file first");
    }

    @Test
    void shouldTakeNoMoreHeapThanAllowed() throws IOException {
        Packets.conversation().pcap(file, 101);
        assertEquals(1, Capture.read(file, 2_000).connections());
        IOException refused = assertThrows(IOException.class, () -> Capture.read(file, 1_400));
        assertTrue(refused.getMessage().contains("raise -Xmx"), refused::getMessage);
    }

    @Test
    void shouldCountEmptySegmentsKeptAfterAGap() throws IOException {
        Packets packets = new Packets(1, 1).request(0, Packets.SYN, 0, "");
        for (int i = 0; i < 100; i++) {
            packets.request(1_000 + i, Packets.FIN, 0, "");
        }
        packets.pcap(file, 101);
        IOException refused = assertThrows(IOException.class, () -> Capture.read(file, 20_000));
        assertTrue(refused.getMessage().contains("raise -Xmx"), refused::getMessage);
    }

    /** Segments out of order take memory only until the gap is filled. */
    @Test
    void shouldNoLongerCountWhatWasKeptAfterAGap() throws IOException {
        Packets packets = new Packets(1, 1).request(0, Packets.SYN, 0, "");
        for (int i = 0; i < 100; i++) {
            packets.request(2 + 2 * i, Packets.ACK, 0, "b").request(1 + 2 * i, Packets.ACK, 0, "a");
        }
        packets.pcap(file, 101);
        assertEquals(201, Capture.read(file, 35_000).events().size());
    }

    /** The file of 40 bytes claims a packet of 4 MiB. */
    @Test
    void shouldTakeNoMemoryForBytesThatAreOnlyClaimed() throws IOException {
        ByteBuffer claim = ByteBuffer.allocate(40)
                .putInt(MICROS)
                .putInt(0x00020004)
                .putInt(16, 65535)
                .putInt(20, 101)
                .putInt(32, 4 << 20)
                .putInt(36, 4 << 20);
        Files.write(file, claim.array());
        assertRefused("it ends within");
        long taken = Allocations.bytesOf(() -> assertRefused("it ends within"));
        assertTrue(taken < 1 << 20, () -> taken + " bytes allocated");
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "6, 0", "6, 4", "6, 16", "3, 0"})
    void shouldRefuseBlocksThatAreTooShort(int type, int bodyBytes) throws IOException {
        ByteBuffer blocks = ByteBuffer.allocate(60 + bodyBytes)
                .putInt(0x0a0d0d0a)
                .putInt(28)
                .putInt(0x1a2b3c4d)
                .putInt(24, 28)
                .putInt(28, 1)
                .putInt(32, 20)
                .putShort(36, (short) 101)
                .putInt(44, 20)
                .putInt(48, type)
                .putInt(52, 12 + bodyBytes)
                .putInt(56 + bodyBytes, 12 + bodyBytes);
        Files.write(file, blocks.array());
        assertRefused("at byte 48");
    }

    /** Such as the secrets of many TLS connections, which Wireshark puts into a file. */
    @Test
    void shouldSkipALargeBlockOfAnotherKind() throws IOException {
        int length = 12 + (5 << 20);
        byte[] packets = Files.readAllBytes(onEthernet().pcapng(file, ByteOrder.BIG_ENDIAN, 0));
        ByteBuffer all = ByteBuffer.allocate(packets.length + length)
                .put(packets, 0, 28)
                .putInt(10)
                .putInt(length)
                .putInt(24 + length, length)
                .position(28 + length)
                .put(packets, 28, packets.length - 28);
        Files.write(file, all.array());
        assertEquals(ALL, events(file));
        Files.write(file, Arrays.copyOf(all.array(), 10_000));
        assertRefused("ends within the block at byte 28");
    }

    @Test
    void shouldRefuseMoreInterfacesThanASectionHas() throws IOException {
        ByteBuffer blocks = ByteBuffer.allocate(28 + 20 * 70_000)
                .putInt(0x0a0d0d0a)
                .putInt(28)
                .putInt(0x1a2b3c4d)
                .putInt(24, 28)
                .position(28);
        while (blocks.hasRemaining()) {
            blocks.putInt(1).putInt(20).putInt(101 << 16).putInt(0).putInt(20);
        }
        Files.write(file, blocks.array());
        assertRefused("interfaces in a section");
    }

    @Test
    void shouldRefuseToReplayNothing() throws IOException {
        Packets.conversation().without(0).pcap(file, 101);
        Capture middle = Capture.read(file);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Replay.of(middle));
        assertTrue(refused.getMessage().contains("8 segments of others"), refused::getMessage);
    }

    @Test
    void shouldRefuseToReplayTls() throws IOException {
        new Packets(1, 1)
                .request(0, Packets.SYN, 0, "")
                .answer(0, Packets.SYN | Packets.ACK, 1, "")
                .request(1, Packets.ACK, 1, "\26\3\1\0\5\1hello")
                .pcap(file, 101);
        Capture encrypted = Capture.read(file);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Replay.of(encrypted));
        assertTrue(
                refused.getMessage().startsWith("connection 0 (client 0a000001:40000) uses TLS"), refused::getMessage);
    }

    /** Sent by a client that closes its output and reads on, such as {@code nc -N}. */
    @Test
    void shouldReplayAClientThatClosesItsOutputBeforeTheAnswer() throws IOException {
        new Packets(1, 1)
                .request(0, Packets.SYN, 0, "")
                .answer(0, Packets.SYN | Packets.ACK, 1, "")
                .request(1, Packets.ACK, 1, "a")
                .request(2, Packets.ACK | Packets.FIN, 1, "")
                .answer(1, Packets.ACK, 3, "a is all")
                .answer(9, Packets.ACK | Packets.FIN, 3, "")
                .pcap(file, 101);
        Replay.of(Capture.read(file)).against(timer -> AnswerAtTheEnd::pipeline).assertSame();
    }

    /** Answers once the client has closed its output. */
    private static final class AnswerAtTheEnd extends SimpleChannelUpstreamHandler {
        static ChannelPipeline pipeline() {
            return Channels.pipeline(new AnswerAtTheEnd());
        }

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getChannel().getConfig().setOption("allowHalfClosure", true);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.setAttachment(((ChannelBuffer) e.getMessage()).toString(StandardCharsets.US_ASCII));
        }

        @Override
        public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
            String answer = ctx.getAttachment() + " is all";
            e.getChannel()
                    .write(ChannelBuffers.copiedBuffer(answer, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
