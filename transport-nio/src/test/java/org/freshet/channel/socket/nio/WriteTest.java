package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.buffer;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.directBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTest {
    private static final Map<String, Object> SMALL_SEND_BUFFER = Map.of("child.sendBufferSize", 8 * 1024);
    private static final int SMALL_RECEIVE_BUFFER_BYTES = 8 * 1024;

    private final Rig rig = new Rig();
    private final Recorder accepted = new Recorder();

    @AfterEach
    void release() {
        rig.close();
    }

    private ScriptedPeer connect(Map<String, Object> options) throws Exception {
        Channel server = rig.bind(() -> Channels.pipeline(accepted), options);
        return ScriptedPeer.connect(server.getLocalAddress(), SMALL_RECEIVE_BUFFER_BYTES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheOrderOfMessagesOfEveryKind(boolean coalescing) throws Exception {
        Random random = Seeds.random();
        byte[] sent = new byte[1_000_000];
        random.nextBytes(sent);
        try (ScriptedPeer peer = connect(Map.of("child.writeCoalescing", coalescing))) {
            Channel channel = accepted.awaitConnected();
            List<Integer> completed = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch all = new CountDownLatch(1);
            Rig.onLoop(channel, () -> writePieces(channel, sent, random, completed, all));
            assertArrayEquals(sent, peer.read(sent.length));
            Await.latch(all, "the completion of every write");
            for (int i = 0; i < completed.size(); i++) {
                assertEquals(i, completed.get(i), "order of completion");
            }
        }
    }

    private static void writePieces(
            Channel channel, byte[] bytes, Random random, List<Integer> completed, CountDownLatch all) {
        int number = 0;
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(bytes.length - from, random.nextInt(random.nextBoolean() ? 300 : 60_000));
            ChannelBuffer piece = wrappedBuffer(bytes, from, length);
            if (random.nextInt(3) == 0) {
                ChannelBuffer direct = directBuffer(Math.max(1, length));
                direct.writeBytes(piece);
                piece = direct;
            }
            from += length;
            boolean last = from == bytes.length;
            int index = number++;
            channel.write(piece).addListener(future -> {
                assertTrue(future.isSuccess());
                completed.add(index);
                if (last) {
                    all.countDown();
                }
            });
        }
    }

    @Test
    void shouldSendTheBuffersContentAtTheTimeOfTheWrite() throws Exception {
        try (ScriptedPeer peer = connect(Map.of())) {
            Channel channel = accepted.awaitConnected();
            ChannelBuffer buffer = copiedBuffer("0123456789", US_ASCII);
            buffer.readerIndex(2);
            Rig.onLoop(channel, () -> {
                channel.write(buffer);
                assertEquals(2, buffer.readerIndex(), "the writer's indices are unchanged");
                buffer.readerIndex(9);
            });
            assertEquals("23456789", peer.readText(8));
        }
    }

    @Test
    void shouldCompleteEmptyMessagesInOrder() throws Exception {
        try (ScriptedPeer peer = connect(Map.of())) {
            Channel channel = accepted.awaitConnected();
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            ChannelFuture[] futures = new ChannelFuture[3];
            Rig.onLoop(channel, () -> {
                futures[0] = channel.write(copiedBuffer("a", US_ASCII));
                futures[1] = channel.write(EMPTY_BUFFER);
                futures[2] = channel.write(copiedBuffer("b", US_ASCII));
                for (int i = 0; i < 3; i++) {
                    int index = i;
                    futures[i].addListener(f -> order.add("" + index));
                }
            });
            assertEquals("ab", peer.readText(2));
            Await.success(futures[2], "the last write");
            Rig.onLoop(channel, () -> assertEquals(List.of("0", "1", "2"), order));
        }
    }

    @Test
    void shouldFailTheFutureOfAnUnencodedMessage() throws Exception {
        try (ScriptedPeer peer = connect(Map.of())) {
            Channel channel = accepted.awaitConnected();
            Throwable cause = Await.failure(channel.write("text"), "a write of a String");
            assertInstanceOf(IllegalArgumentException.class, cause);
            assertTrue(cause.getMessage().contains("java.lang.String"), cause::getMessage);
            channel.write(copiedBuffer("still here", US_ASCII));
            assertEquals("still here", peer.readText(10));
        }
    }

    @Test
    void shouldAnnounceOnceEachThatItIsUnwritableAboveTheHighMarkAndWritableBelowTheLowOne() throws Exception {
        int chunk = 64 * 1024;
        int chunks = 40;
        try (ScriptedPeer peer = connect(SMALL_SEND_BUFFER)) {
            Channel channel = accepted.awaitConnected();
            Rig.onLoop(channel, () -> {
                for (int i = 0; i < chunks; i++) {
                    channel.write(wrappedBuffer(new byte[chunk]));
                }
                assertFalse(channel.isWritable(), "unwritable immediately");
                assertEquals(Channel.OP_READ_WRITE, channel.getInterestOps());
            });
            Await.until(() -> accepted.events().contains("interest R-"), "the announcement of congestion");
            peer.read(chunk * chunks);
            Await.until(() -> accepted.events().contains("interest RW"), "the announcement of its end");
            assertTrue(channel.isWritable());
            assertEquals(List.of("open", "bound", "connected", "interest R-", "interest RW"), accepted.events());
        }
    }

    @Test
    void shouldNotifyAThreadThatSawItUnwritableWhenItIsWritableAgain() throws Exception {
        try (ScriptedPeer peer =
                connect(Map.of("child.writeBufferHighWaterMark", 2, "child.writeBufferLowWaterMark", 1))) {
            Channel channel = accepted.awaitConnected();
            int rounds = 2000;
            for (int i = 1; i <= rounds; i++) {
                channel.write(copiedBuffer("xyz", US_ASCII)); // above the mark until it was sent
                int writableAgain = i;
                Await.until(() -> count("interest RW") >= writableAgain, "the end of congestion " + i);
            }
            assertEquals(rounds, count("interest R-"));
            peer.read(3 * rounds);
        }
    }

    private long count(String event) {
        return accepted.events().stream().filter(event::equals).count();
    }

    @Test
    void shouldFailWritesThatCannotBeSentBeforeTheClose() throws Exception {
        try (ScriptedPeer peer = connect(SMALL_SEND_BUFFER)) {
            Channel channel = accepted.awaitConnected();
            List<ChannelFuture> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                futures.add(channel.write(wrappedBuffer(new byte[100_000])));
            }
            Await.success(channel.close(), "the close");
            int failed = 0;
            for (ChannelFuture future : futures) {
                assertTrue(future.isDone(), "done when the channel is closed");
                if (!future.isSuccess()) {
                    assertInstanceOf(ClosedChannelException.class, future.getCause());
                    failed++;
                } else {
                    assertEquals(0, failed, "no write succeeds after a failed one");
                }
            }
            assertTrue(failed > 0, () -> "10 MB do not fit into the socket buffers of " + peer);
        }
    }

    @Test
    void shouldKeepEachThreadsOrderAndEveryByteOfEightWriters() throws Exception {
        int threads = 8;
        int each = 20_000;
        try (ScriptedPeer peer = connect(Map.of())) {
            Channel channel = accepted.awaitConnected();
            CountDownLatch completed = new CountDownLatch(threads * each);
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                writers.add(new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        ChannelBuffer message = buffer(4);
                        message.writeInt(thread << 24 | i);
                        channel.write(message).addListener(f -> completed.countDown());
                    }
                }));
            }
            writers.forEach(Thread::start);
            ChannelBuffer read = wrappedBuffer(peer.read(4 * threads * each));
            int[] next = new int[threads];
            while (read.readable()) {
                int message = read.readInt();
                assertEquals(next[message >>> 24]++, message & 0xffffff, "order of thread " + (message >>> 24));
            }
            Await.latch(completed, "the completion of every write");
            writers.forEach(Await::end);
        }
    }

    @Test
    void shouldSendFileRegionsAmongBuffersAndReportTheirProgress(@TempDir Path dir) throws Exception {
        byte[] content = new byte[3_000_000];
        Seeds.random().nextBytes(content);
        Path file = Files.write(dir.resolve("content"), content);
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ);
                ScriptedPeer peer = connect(SMALL_SEND_BUFFER)) {
            Channel channel = accepted.awaitConnected();
            List<Long> progress = Collections.synchronizedList(new ArrayList<>());
            channel.write(copiedBuffer("before", US_ASCII));
            ChannelFuture region = channel.write(new DefaultFileRegion(open, 100, content.length - 100));
            region.addListener(new ChannelFutureProgressListener() {
                @Override
                public void operationProgressed(ChannelFuture future, long amount, long current, long total) {
                    progress.add(current);
                }

                @Override
                public void operationComplete(ChannelFuture future) {}
            });
            channel.write(copiedBuffer("after", US_ASCII));
            assertEquals("before", peer.readText(6));
            byte[] expected = Arrays.copyOfRange(content, 100, content.length);
            assertArrayEquals(expected, peer.read(expected.length));
            assertEquals("after", peer.readText(5));
            Await.success(region, "the region");
            assertFalse(progress.isEmpty(), "3 MB cannot be sent at one go through an 8 KiB buffer");
            assertEquals(progress.stream().sorted().toList(), progress);
        }
    }

    @Test
    void shouldFailAFileRegionBeyondTheFileInsteadOfSpinning(@TempDir Path dir) throws Exception {
        Path file = Files.write(dir.resolve("short"), new byte[10]);
        FileChannel open = FileChannel.open(file, StandardOpenOption.READ);
        try (ScriptedPeer peer = connect(Map.of())) {
            Channel channel = accepted.awaitConnected();
            ChannelFuture written = channel.write(new DefaultFileRegion(open, 0, 20, true));
            assertInstanceOf(EOFException.class, Await.failure(written, "a region longer than its file"));
            assertFalse(open.isOpen(), "released after the failure");
            accepted.awaitClosed();
            peer.read(10);
        }
    }
}
