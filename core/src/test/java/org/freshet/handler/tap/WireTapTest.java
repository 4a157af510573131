package org.freshet.handler.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.tap.Flow.Direction;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTapTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("tap.pcapng");
    }

    private static void attach(WireTap tap, MemoryChannel channel) {
        Await.success(tap.attach(channel), "the tap");
    }

    private static String text(TapFile.Stream stream) {
        return stream.bytes().toString(ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "2001:db8::7"})
    void shouldBeReassembledByteForByte(String peer) throws IOException {
        Random random = Seeds.random();
        InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName(peer), 4711);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected(remote);
            attach(tap, channel);
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[random.nextInt(i % 50 == 0 ? 200_000 : 300)];
                random.nextBytes(bytes);
                if (random.nextBoolean()) {
                    sent.writeBytes(bytes);
                    channel.write(wrappedBuffer(bytes));
                } else {
                    received.writeBytes(bytes);
                    channel.receive(wrappedBuffer(bytes));
                }
            }
            channel.close(CloseReason.PEER_CLOSED);
        }
        TapFile read = TapFile.read(file());
        assertEquals(2, read.streams.size());
        assertArrayEquals(sent.toByteArray(), read.stream(0).toByteArray());
        assertArrayEquals(received.toByteArray(), read.stream(1).toByteArray());
        assertEquals(0, read.stream(0).missing()[0] + read.stream(1).missing()[0]);
        assertTrue(read.stream(0).ended()[0] && read.stream(1).ended()[0]);
        assertTrue(read.comments.get(0).contains("attached later, below all handlers"), read.comments.toString());
        assertTrue(read.comments.get(1).contains("the peer closed the connection"), read.comments.toString());
    }

    @Test
    void shouldContinueWhenSequenceNumbersWrapAround() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            Flow flow = tap.begin(MemoryChannel.connected(), "here", -3);
            for (String part : "a stream that is longer".split(" ")) {
                tap.add(flow, Direction.RECEIVED, part.getBytes(ISO_8859_1), 0, part.length(), part.length());
            }
        }
        TapFile read = TapFile.read(file());
        assertEquals("astreamthatislonger", text(read.stream(1)));
        assertEquals(0, read.stream(1).missing()[0]);
    }

    @Test
    void shouldRecordFromTheFirstByte() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected(tap.newHandler());
            channel.receive(copiedBuffer("first", ISO_8859_1));
        }
        assertEquals("first", text(TapFile.read(file()).stream(1)));
    }

    /** Sends the text up in upper case. */
    private static final class Decoder extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            String text = ((ChannelBuffer) e.getMessage()).toString(ISO_8859_1);
            Channels.fireMessageReceived(ctx, copiedBuffer(text.toUpperCase(Locale.ROOT), ISO_8859_1));
        }
    }

    @Test
    void shouldRecordTrafficAboveAHandler() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            channel.getPipeline().addFirst("capitals", new Decoder());
            Await.success(tap.attachAbove(channel, "capitals"), "the tap");
            channel.receive(copiedBuffer("clear", ISO_8859_1));
        }
        TapFile read = TapFile.read(file());
        assertEquals("CLEAR", text(read.stream(1)));
        assertTrue(read.comments.get(0).endsWith("above 'capitals'"), read.comments.toString());
    }

    @Test
    void shouldStopRecordingWhenDetached() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            Await.success(tap.detach(channel), "the end of what was not attached");
            attach(tap, channel);
            channel.receive(copiedBuffer("seen", ISO_8859_1));
            Await.success(tap.detach(channel), "the end");
            channel.receive(copiedBuffer("unseen", ISO_8859_1));
            assertEquals(2, channel.takeReceived().size());
        }
        assertEquals("seen", text(TapFile.read(file()).stream(1)));
    }

    @Test
    void shouldRecordOnlyWritesThatWereSent() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected().holdWrites();
            attach(tap, channel);
            channel.write(copiedBuffer("lost", ISO_8859_1));
            channel.failWrites(new IOException("reset"));
            channel.write(copiedBuffer("sent", ISO_8859_1));
            channel.completeWrites();
        }
        assertEquals("sent", text(TapFile.read(file()).stream(0)));
    }

    /** A direct buffer that there is no memory to copy. */
    private static ChannelBuffer scarce(ChannelBuffer buffer) {
        return (ChannelBuffer) Proxy.newProxyInstance(
                ChannelBuffer.class.getClassLoader(), new Class<?>[] {ChannelBuffer.class}, (proxy, method, args) -> {
                    if (method.getName().equals("getBytes")) {
                        throw new OutOfMemoryError("injected by a test");
                    }
                    return method.invoke(buffer, args);
                });
    }

    @Test
    void shouldKeepNothingFromTheHandlersThatItHasNoMemoryToCopy() throws IOException {
        ChannelBuffer bytes = scarce(ChannelBuffers.directBuffer(5));
        bytes.writeBytes("bytes".getBytes(ISO_8859_1));
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            attach(tap, channel);
            channel.receive(bytes);
            channel.write(bytes);
            assertEquals(1, channel.takeReceived().size());
            assertEquals(1, channel.takeWritten().size());
            assertEquals(List.of(), channel.takeCaught());
        }
        TapFile read = TapFile.read(file());
        assertEquals(5, read.stream(0).missing()[0]);
        assertEquals(5, read.stream(1).missing()[0]);
    }

    @Test
    void shouldRecordTheLengthOfDataItDoesNotCopy() throws IOException {
        FileRegion region = new FileRegion() {
            @Override
            public long getPosition() {
                return 0;
            }

            @Override
            public long getCount() {
                return 150_000;
            }

            @Override
            public long transferTo(WritableByteChannel target, long position) {
                throw new AssertionError("a tap does not read files");
            }

            @Override
            public void releaseExternalResources() {}
        };
        try (WireTap tap = WireTap.to(file()).maxBytesPerMessage(4).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            attach(tap, channel);
            channel.write(region);
            channel.write(copiedBuffer("head and body", ISO_8859_1));
        }
        TapFile.Stream sent = TapFile.read(file()).stream(0);
        assertEquals("head", text(sent));
        assertEquals(150_000 + 9, sent.missing()[0]);
    }

    @Test
    void shouldLeaveAGapForLostDataAndNoteIt() throws IOException {
        WireTap over;
        Flow flow;
        try (WireTap tap = WireTap.to(file()).open()) {
            over = tap;
            flow = tap.begin(MemoryChannel.connected(), "here", 1);
            flow.addLost(Direction.RECEIVED, 1000);
            tap.add(flow, Direction.RECEIVED, new byte[] {1}, 0, 1, 1);
        }
        over.add(flow, Direction.RECEIVED, new byte[7], 0, 7, 7);
        assertEquals(7, over.lostBytes());
        TapFile read = TapFile.read(file());
        assertEquals(1000, read.stream(1).missing()[0]);
        assertEquals("1000 bytes before this packet were not recorded", read.comments.get(1));
    }

    @Test
    void shouldDropDataWhenTooMuchWaitsAndBeginAConnectionLater() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            Flow early = tap.begin(MemoryChannel.connected(new InetSocketAddress("10.1.2.3", 1)), "here", 1);
            Await.until(() -> early.lane().isEmpty(), "the packets to be written");
            List<Chunk> taken = new ArrayList<>();
            for (Chunk chunk = tap.chunks().take();
                    chunk != null;
                    chunk = tap.chunks().take()) {
                taken.add(chunk);
            }
            assertEquals(WireTap.MAX_QUEUED_BYTES / Chunk.BYTES, taken.size());
            Flow late = tap.begin(MemoryChannel.connected(new InetSocketAddress("10.1.2.3", 2)), "there", 1);
            for (Flow flow : List.of(early, late)) {
                tap.add(flow, Direction.RECEIVED, new byte[70_000], 0, 70_000, 70_000);
            }
            assertEquals(140_000, tap.lostBytes());
            taken.forEach(tap.chunks()::giveBack);
            for (Flow flow : List.of(early, late)) {
                tap.add(flow, Direction.RECEIVED, new byte[] {1}, 0, 1, 1);
            }
        }
        TapFile read = TapFile.read(file());
        assertEquals(4, read.streams.size());
        assertEquals(2, read.pieces.size());
        assertEquals(70_000, read.stream(1).missing()[0]);
        assertEquals(70_000, read.stream(3).missing()[0]);
        String lost = "70000 bytes before this packet were not recorded";
        assertEquals(
                List.of(lost, lost), read.comments.stream().filter(lost::equals).toList());
    }

    /** Threads add in turn, so the order is known. Each has its own lane. */
    @Test
    void shouldKeepTheOrderOfSeveralLoops() throws IOException {
        int loops = 3;
        int rounds = 500;
        List<Semaphore> turns = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
            turns.add(new Semaphore(i == 0 ? 1 : 0));
        }
        List<Thread> threads = new ArrayList<>();
        try (WireTap tap = WireTap.to(file()).open()) {
            for (int i = 0; i < loops; i++) {
                int mine = i;
                threads.add(new Thread(() -> {
                    InetSocketAddress remote = new InetSocketAddress("10.1.2.3", 1 + mine);
                    Flow flow = tap.begin(MemoryChannel.connected(remote), "here", 1);
                    for (int next = mine; next < loops * rounds; next += loops) {
                        byte[] number = ByteBuffer.allocate(4).putInt(next).array();
                        turns.get(mine).acquireUninterruptibly();
                        tap.add(flow, Direction.RECEIVED, number, 0, 4, 4);
                        turns.get((mine + 1) % loops).release();
                    }
                }));
            }
            threads.forEach(Thread::start);
            threads.forEach(Await::end);
        }
        List<byte[]> pieces = TapFile.read(file()).pieces;
        assertEquals(loops * rounds, pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            assertEquals(i, ByteBuffer.wrap(pieces.get(i)).getInt());
        }
    }

    @Test
    void shouldEndWithItsFileAndLeaveTheChannelAlone() throws IOException {
        try (WireTap tap = WireTap.to(file()).maxFileBytes(2_000).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            attach(tap, channel);
            Await.until(
                    () -> {
                        channel.receive(wrappedBuffer(new byte[100]));
                        return !tap.isOpen();
                    },
                    "the end of the tap");
            channel.receive(copiedBuffer("goes on", ISO_8859_1));
            assertTrue(channel.isOpen());
            assertEquals(0, channel.takeCaught().size());
        }
        assertTrue(TapFile.read(file()).stream(1).toByteArray().length >= 1_000);
    }

    @Test
    void shouldReportWhyItCannotBeAttached() throws IOException {
        try (WireTap tap = WireTap.to(file()).open()) {
            MemoryChannel channel = MemoryChannel.connected();
            attach(tap, channel);
            Throwable twice = Await.failure(tap.attach(channel), "the second tap");
            assertTrue(twice instanceof IllegalArgumentException, twice.toString());
            ChannelFuture above = tap.attachAbove(MemoryChannel.connected(), "nobody");
            assertTrue(Await.failure(above, "the tap") instanceof NoSuchElementException);
            ChannelFuture early = tap.attach(MemoryChannel.open());
            assertTrue(Await.failure(early, "the tap").getMessage().startsWith("the channel is not connected"));
        }
        assertThrows(IOException.class, () -> WireTap.to(directory).open());
        assertThrows(IllegalArgumentException.class, () -> WireTap.to(file()).maxFileBytes(0));
    }
}
