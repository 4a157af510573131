package org.freshet.handler.tap;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.channel.CloseReason;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wireshark's own reader understands the files. Skipped if {@code tshark} is not installed. */
class TsharkTest {
    @TempDir
    Path directory;

    private Path file;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @BeforeEach
    void useItsOwnFile() {
        file = directory.resolve("tap.pcapng");
    }

    /** A conversation with a peer, tapped midway. */
    private void record(String peer) throws IOException {
        Random random = Seeds.random();
        try (WireTap tap = WireTap.to(file).open()) {
            MemoryChannel channel = MemoryChannel.connected(new InetSocketAddress(InetAddress.getByName(peer), 4711));
            Await.success(tap.attach(channel), "the tap");
            for (int i = 0; i < 60; i++) {
                byte[] bytes = new byte[1 + random.nextInt(i % 20 == 0 ? 100_000 : 300)];
                random.nextBytes(bytes);
                if (i % 2 == 0) {
                    sent.writeBytes(bytes);
                    channel.write(wrappedBuffer(bytes));
                } else {
                    received.writeBytes(bytes);
                    channel.receive(wrappedBuffer(bytes));
                }
            }
            channel.close(CloseReason.PEER_CLOSED);
        }
    }

    private List<String> tshark(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process =
                    new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        } catch (IOException e) {
            return abort("no tshark: " + e.getMessage());
        }
        List<String> lines = new String(process.getInputStream().readAllBytes(), US_ASCII)
                .lines()
                .toList();
        assertEquals(0, process.onExit().join().exitValue(), () -> command + " printed " + lines);
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "2001:db8::7"})
    void shouldFollowTheStreamByteForByte(String peer) throws IOException {
        record(peer);
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        for (String line : tshark("-q", "-z", "follow,tcp,raw,0")) {
            if (line.matches("\t?[0-9a-f]+")) {
                // The data of the second side is indented.
                (line.startsWith("\t") ? theirs : ours)
                        .writeBytes(HexFormat.of().parseHex(line.strip()));
            }
        }
        boolean isPeerFirst = ours.size() == received.size();
        assertArrayEquals(sent.toByteArray(), (isPeerFirst ? theirs : ours).toByteArray());
        assertArrayEquals(received.toByteArray(), (isPeerFirst ? ours : theirs).toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "2001:db8::7"})
    void shouldFindNothingWrongWithThePackets(String peer) throws IOException {
        record(peer);
        assertEquals(
                List.of(),
                tshark(
                        "-Y",
                        "_ws.malformed || tcp.analysis.lost_segment || tcp.analysis.out_of_order"
                                + " || tcp.analysis.retransmission || tcp.analysis.ack_lost_segment || _ws.expert.severity == error"));
        assertEquals(1, tshark("-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0").size(), "connections");
    }
}
