package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.buffer;
import static org.freshet.buffer.ChannelBuffers.dynamicBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.channel.socket.oio.OioDatagramChannelFactory;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The same scenarios over every pair of transports. Socket scenarios leave out LOCAL, which has no sockets: see the
 * package-info of each transport for its restrictions. They are in this module because its tests see all transports and
 * the codecs.
 */
class TransportMatrixTest {
    private static final List<String> WHOLE_LIFE =
            List.of("open", "bound", "connected", "disconnected", "unbound", "closed");

    @ParameterizedTest
    @EnumSource
    void shouldEchoSixteenMebibytesInRandomFragments(Pair pair) {
        Random random = Seeds.random();
        int total = 16 * 1024 * 1024;
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), EchoMessages::new);
            HashingReceiver receiver = new HashingReceiver(total);
            Channel client = rig.connect(server.getLocalAddress(), receiver);
            byte[] sentHash = HashingReceiver.send(client, random, total);
            Await.latch(receiver.done(), "the echo of every byte");
            assertArrayEquals(sentHash, receiver.hash());
        }
    }

    /** Echoes what it receives, as bytes or objects. */
    private static final class EchoMessages extends Recorder {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent message) {
                ctx.getChannel().write(message.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEchoLinesOfText(Pair pair) {
        Random random = Seeds.random();
        List<String> lines = IntStream.range(0, 3000)
                .mapToObj(i -> i + " größer".repeat(random.nextInt(20)) + "\n")
                .toList();
        ChannelHandler decoder = new StringDecoder(StandardCharsets.UTF_8);
        ChannelHandler encoder = new StringEncoder(StandardCharsets.UTF_8);
        assertEquals(
                lines,
                echoed(pair, lines, () -> List.of(new LineBasedFrameDecoder(1000, false, true), decoder, encoder)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldEchoAStreamOfObjects(Pair pair) {
        Random random = Seeds.random();
        List<Object> objects =
                IntStream.range(0, 500).mapToObj(i -> randomObject(i, random)).toList();
        ChannelHandler encoder = new ObjectEncoder();
        assertEquals(
                objects,
                echoed(pair, objects, () -> List.of(new ObjectDecoder(ClassResolvers.cacheDisabled(null)), encoder)));
    }

    private static Object randomObject(int i, Random random) {
        return switch (i % 4) {
            case 0 -> i;
            case 1 -> "text ".repeat(random.nextInt(20_000)); // often more than one read
            case 2 -> new ArrayList<>(List.of(i, "of a list", random.nextLong()));
            default -> new HashMap<>(Map.of("number", random.nextDouble(), "date", LocalDate.ofEpochDay(i)));
        };
    }

    /** Returns the echo of a server that has the same decoders and encoders as the client. */
    private static List<Object> echoed(Pair pair, List<?> messages, Supplier<List<ChannelHandler>> codec) {
        try (Rig rig = pair.rig()) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(with(codec, new EchoMessages())));
            Channel server = rig.server().bind(pair.freeAddress());
            MessageKeeper keeper = new MessageKeeper(messages.size());
            Channel client = rig.connect(server.getLocalAddress(), with(codec, keeper));
            messages.forEach(client::write);
            Await.latch(keeper.all, "every message");
            return keeper.messages;
        }
    }

    private static ChannelHandler[] with(Supplier<List<ChannelHandler>> codec, ChannelHandler last) {
        return Stream.concat(codec.get().stream(), Stream.of(last)).toArray(ChannelHandler[]::new);
    }

    /** Collects messages on the I/O thread, for the thread that waits for {@code all}. */
    private static final class MessageKeeper extends Recorder {
        final List<Object> messages = new ArrayList<>();
        final CountDownLatch all;

        MessageKeeper(int count) {
            all = new CountDownLatch(count);
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent message) {
                messages.add(message.getMessage());
                all.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFireTheSameEventsAtBothEnds(Pair pair) {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Recorder made = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            Await.success(client.close(), "the close");
            assertEquals(WHOLE_LIFE, made.awaitClosed().states());
            assertEquals(WHOLE_LIFE, accepted.awaitClosed().states());
            assertEquals(List.of(), made.failures());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepEachThreadsOrderOfManySmallWrites(Pair pair) {
        int threads = 4;
        int each = 5_000;
        try (Rig rig = pair.rig()) {
            OrderChecker checker = new OrderChecker(threads, threads * each);
            Channel server = rig.listen(pair.freeAddress(), () -> checker);
            Channel client = rig.connect(server.getLocalAddress());
            List<Thread> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                writers.add(new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        ChannelBuffer message = buffer(4);
                        message.writeInt(thread << 24 | i);
                        client.write(message);
                    }
                }));
            }
            writers.forEach(Thread::start);
            Await.latch(checker.all, "every message");
            writers.forEach(Await::end);
            assertEquals(List.of(), checker.disorder);
        }
    }

    /** Reads ints, each a thread's number and its count, however they are split. */
    private static final class OrderChecker extends Recorder {
        final CountDownLatch all;
        final List<String> disorder = new ArrayList<>();
        private final int[] next;
        private final ChannelBuffer rest = dynamicBuffer();

        OrderChecker(int threads, int messages) {
            next = new int[threads];
            all = new CountDownLatch(messages);
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (!(e instanceof MessageEvent message)) {
                return;
            }
            rest.writeBytes((ChannelBuffer) message.getMessage());
            while (rest.readableBytes() >= 4) {
                int value = rest.readInt();
                if (next[value >>> 24]++ != (value & 0xffffff)) {
                    disorder.add("thread " + (value >>> 24) + " at " + (value & 0xffffff));
                }
                all.countDown();
            }
            rest.discardReadBytes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReceiveNothingWhileReadingIsSuspended(Pair pair) {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress());
            accepted.awaitEvent("connected");
            Await.success(accepted.channel().setReadable(false), "suspending");
            client.write(wrappedBuffer("first ".getBytes()));
            client.write(wrappedBuffer("second".getBytes()));
            Await.success(accepted.channel().setReadable(true), "resuming");
            accepted.awaitText("first second");
            assertEquals("first second", accepted.text());
            assertTrue(accepted.channel().isReadable());
        }
    }

    /** The local transport passes objects and sends no files. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "LOCAL")
    void shouldSendALargeFileRegion(Pair pair, @TempDir Path dir) throws Exception {
        byte[] content = new byte[4 * 1024 * 1024];
        Seeds.random().nextBytes(content);
        Path file = Files.write(dir.resolve("content"), content);
        byte[] wanted = Arrays.copyOfRange(content, 1000, content.length);
        try (Rig rig = pair.rig();
                FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
            HashingReceiver receiver = new HashingReceiver(wanted.length);
            Channel server = rig.listen(pair.freeAddress(), () -> receiver);
            Channel client = rig.connect(server.getLocalAddress());
            Await.success(client.write(new DefaultFileRegion(open, 1000, wanted.length)), "the region");
            Await.latch(receiver.done(), "every byte of the region");
            assertArrayEquals(HashingReceiver.hashOf(wanted), receiver.hash());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseOnceWhicheverEndClosesAndWhenever(Pair pair) {
        int rounds = 50;
        Random random = Seeds.random();
        try (Rig rig = pair.rig()) {
            AtomicInteger closed = new AtomicInteger();
            Channel server = rig.listen(pair.freeAddress(), () -> new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                    if (e instanceof MessageEvent) {
                        ctx.getChannel().close();
                    } else if (events().contains("closed")) {
                        closed.incrementAndGet();
                    }
                }
            });
            for (int i = 0; i < rounds; i++) {
                Recorder made = new Recorder();
                Channel client = rig.connect(server.getLocalAddress(), made);
                ChannelFuture written = client.write(wrappedBuffer(new byte[] {1}));
                for (int spin = random.nextInt(2000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                client.close();
                Await.success(client.getCloseFuture(), "the close");
                Await.done(written, "the write");
                assertEquals(WHOLE_LIFE, made.awaitClosed().states());
            }
            Await.until(() -> closed.get() == rounds, () -> closed + " of " + rounds + " accepted ones closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportAHandlersOwnExceptionToItAndContinue(Pair pair) {
        try (Rig rig = pair.rig()) {
            Echo accepted = new Echo();
            Recorder failing = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                    if (e instanceof MessageEvent && text().equals("a")) {
                        throw new IllegalStateException("thrown on purpose");
                    }
                }
            };
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress(), failing);
            client.write(wrappedBuffer("a".getBytes()));
            failing.awaitEvent("exception");
            assertInstanceOf(IllegalStateException.class, failing.failures().get(0));
            client.write(wrappedBuffer("b".getBytes()));
            failing.awaitText("ab");
            assertTrue(client.isConnected());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailAConnectWithoutAServer(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            var address = server.getLocalAddress();
            Await.success(server.close(), "the close of the server");
            ChannelFuture connect = rig.connecting(address);
            assertInstanceOf(ConnectException.class, Await.failure(connect, "the connect"));
            Await.success(connect.getChannel().getCloseFuture(), "the close of the client");
            assertFalse(connect.getChannel().isConnected());
        }
    }

    /** On the local transport and on a Unix domain socket, a connect does not wait in the backlog. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"LOCAL", "UNIX"})
    void shouldTimeOutAConnectToAServerThatDoesNotAccept(Pair pair) throws Exception {
        try (Rig rig = pair.rig();
                Stuck stuck = new Stuck()) {
            rig.server().setOption("backlog", 1);
            Channel server = rig.listen(pair.freeAddress(), stuck);
            stuck.fill(server.getLocalAddress());
            rig.client().setOption("connectTimeoutMillis", 100);
            Recorder made = new Recorder();
            ChannelFuture connect = rig.connecting(server.getLocalAddress(), made);
            Throwable cause = Await.failure(connect, "the connect");
            assertInstanceOf(ConnectTimeoutException.class, cause);
            assertTrue(cause.getMessage().contains("100 ms"), cause.getMessage());
            Await.success(connect.getChannel().getCloseFuture(), "the close of the client");
            made.awaitClosed();
        }
    }

    /** On the local transport and on a Unix domain socket, a connect does not wait in the backlog. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"LOCAL", "UNIX"})
    void shouldFailAConnectQuietlyWhenItsFactoryIsReleased(Pair pair) throws Exception {
        try (Rig rig = pair.rig();
                Stuck stuck = new Stuck();
                CapturedLog log = CapturedLog.start()) {
            rig.server().setOption("backlog", 1);
            Channel server = rig.listen(pair.freeAddress(), stuck);
            stuck.fill(server.getLocalAddress());
            ChannelFuture connect = rig.connecting(server.getLocalAddress(), new Silent());
            rig.client().releaseExternalResources();
            assertInstanceOf(ClosedChannelException.class, Await.failure(connect, "the connect"));
            assertEquals(List.of(), warnings(log));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotWarnAboutARefusedConnectThatItsFutureReports(Pair pair) throws Exception {
        try (Rig rig = pair.rig();
                CapturedLog log = CapturedLog.start()) {
            ChannelFuture connect = rig.connecting(pair.freeAddress(), new Silent());
            assertInstanceOf(ConnectException.class, Await.failure(connect, "the connect"));
            Await.success(connect.getChannel().getCloseFuture(), "the close of the client");
            log.awaitMessage(message ->
                    message.level() == InternalLogLevel.DEBUG && message.cause() instanceof ConnectException);
            assertEquals(List.of(), warnings(log));
        }
    }

    /** Handles nothing, not even exceptions. */
    private static final class Silent extends SimpleChannelUpstreamHandler {}

    private static List<CapturedLog.Message> warnings(CapturedLog log) {
        return log.messages().stream()
                .filter(message -> message.level().compareTo(InternalLogLevel.WARN) >= 0)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void shouldThrowTheCauseWhenItCannotBindAndNotLogIt(Pair pair) {
        try (Rig rig = pair.rig();
                CapturedLog log = CapturedLog.start()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            ChannelException failure =
                    assertThrows(ChannelException.class, () -> rig.server().bind(server.getLocalAddress()));
            assertEquals(
                    "cannot bind to " + server.getLocalAddress() + ": "
                            + failure.getCause().getMessage(),
                    failure.getMessage());
            assertEquals(List.of(), warnings(log));
        }
    }

    @Test
    void shouldThrowTheCauseWhenADatagramChannelCannotBindAndNotLogIt() {
        for (ChannelFactory factory : List.of(new NioDatagramChannelFactory(), new OioDatagramChannelFactory())) {
            ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(factory);
            bootstrap.setPipelineFactory(() -> Channels.pipeline(new Silent()));
            try (CapturedLog log = CapturedLog.start()) {
                Channel bound = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                assertThrows(ChannelException.class, () -> bootstrap.bind(bound.getLocalAddress()));
                assertEquals(List.of(), warnings(log));
            } finally {
                bootstrap.releaseExternalResources();
            }
        }
    }

    /** Creates no handlers while it is open, so that its server accepts nothing after the first connection. */
    private static final class Stuck implements Supplier<ChannelHandler>, AutoCloseable {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);
        private final List<SocketChannel> sockets = new ArrayList<>();

        @Override
        public ChannelHandler get() {
            asked.countDown();
            Await.latch(closed, "the end of the test");
            return new Recorder();
        }

        /** More connections than the backlog has room for. */
        void fill(SocketAddress address) throws IOException {
            sockets.add(SocketChannel.open(address));
            Await.latch(asked, "the server to accept one");
            for (int i = 0; i < 8; i++) {
                SocketChannel socket = SocketChannel.open();
                sockets.add(socket);
                socket.configureBlocking(false);
                socket.connect(address);
            }
        }

        @Override
        public void close() throws IOException {
            closed.countDown();
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        }
    }
}
