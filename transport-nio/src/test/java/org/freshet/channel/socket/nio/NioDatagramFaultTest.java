package org.freshet.channel.socket.nio;

import static org.freshet.channel.socket.nio.DatagramRig.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.freshet.channel.AdaptiveReceiveBufferSizePredictorFactory;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.Channels;
import org.freshet.channel.FileRegion;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.channel.socket.nio.DatagramRig.Mailbox;
import org.freshet.handler.queue.BlockingReadHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure of one datagram affects neither other datagrams nor the channel. */
class NioDatagramFaultTest {
    private final DatagramRig datagrams = new DatagramRig();
    private final Mailbox mailbox = new Mailbox();
    private final Mailbox atSender = new Mailbox();

    @AfterEach
    void release() {
        datagrams.close();
    }

    @Test
    void shouldFailOnlyTheBadSend() {
        NioDatagramChannel to = datagrams.bind(mailbox);
        NioDatagramChannel from = datagrams.bind(atSender);
        InetSocketAddress address = to.getLocalAddress();
        ChannelFuture[] bad = new ChannelFuture[5];
        Rig.onLoop(from, () -> {
            from.write(bytes("first"), address);
            bad[0] = from.write(bytes("x".repeat(65_535)), address);
            bad[1] = from.write(bytes("x".repeat(70_000)), address);
            bad[2] = from.write(bytes("x"), InetSocketAddress.createUnresolved("nowhere.invalid", 9));
            bad[3] = from.write(bytes("x"));
            bad[4] = from.write(new Region(), address);
            from.write(bytes("last"), address);
        });
        assertEquals(List.of("first", "last"), mailbox.awaitLetters(2));
        assertInstanceOf(IOException.class, Await.failure(bad[0], "a datagram that is too large"));
        assertInstanceOf(IOException.class, Await.failure(bad[1], "a datagram that is much too large"));
        Throwable unresolved = Await.failure(bad[2], "an unresolved address");
        assertInstanceOf(UnknownHostException.class, unresolved);
        assertTrue(unresolved.getMessage().contains("nowhere.invalid:9"), unresolved::getMessage);
        assertInstanceOf(NotYetConnectedException.class, Await.failure(bad[3], "no address"));
        assertInstanceOf(IllegalArgumentException.class, Await.failure(bad[4], "a file region"));
        assertInstanceOf(IllegalArgumentException.class, Await.failure(from.write("text", address), "a String"));
        assertTrue(from.isOpen());
    }

    @Test
    void shouldFailSendsThatTheSystemRefuses() {
        try (DatagramRig ipv4 = new DatagramRig(InternetProtocolFamily.IPv4)) {
            NioDatagramChannel to = ipv4.bind(mailbox);
            NioDatagramChannel from = ipv4.bind(atSender);
            assertInstanceOf(
                    IOException.class,
                    Await.failure(from.write(bytes("x"), new InetSocketAddress("255.255.255.255", 9)), "a broadcast"));
            assertInstanceOf(
                    UnsupportedAddressTypeException.class,
                    Await.failure(from.write(bytes("x"), new InetSocketAddress("::1", 9)), "another protocol"));
            Await.success(from.write(bytes("good"), to.getLocalAddress()), "a good one");
            assertEquals(List.of("good"), mailbox.awaitLetters(1));
        }
    }

    /** Looks for a future that completes twice or never. */
    @RepeatedTest(10)
    void shouldCompleteEverySendOnceWhenThreadsWriteAgainstACloseOrARelease(RepetitionInfo repetition) {
        int threads = 3;
        int each = 500;
        NioDatagramChannel to = datagrams.bind(mailbox);
        NioDatagramChannel from = datagrams.bind(atSender);
        AtomicIntegerArray completions = new AtomicIntegerArray(threads * each);
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t * each;
            writers.add(new Thread(() -> {
                for (int i = first; i < first + each; i++) {
                    int index = i;
                    from.write(bytes("x"), to.getLocalAddress()).addListener(f -> completions.incrementAndGet(index));
                }
            }));
        }
        writers.forEach(Thread::start);
        for (int spin = Seeds.random(repetition.getCurrentRepetition()).nextInt(50_000); spin > 0; spin--) {
            Thread.onSpinWait();
        }
        if (repetition.getCurrentRepetition() % 2 == 0) {
            Await.success(from.close(), "the close");
        } else {
            datagrams.close();
        }
        writers.forEach(Await::end);
        for (int i = 0; i < completions.length(); i++) {
            int index = i;
            Await.until(() -> completions.get(index) > 0, "the completion of send " + i);
            assertEquals(1, completions.get(i), "completions of send " + i);
        }
    }

    private static final class Region implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return 1;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) {
            throw new AssertionError("a datagram channel does not send regions");
        }

        @Override
        public void releaseExternalResources() {}
    }

    @Test
    void shouldRefuseAnotherAddressThanItsPeer() {
        NioDatagramChannel peer = datagrams.bind(mailbox);
        NioDatagramChannel other = datagrams.bind(new Mailbox());
        NioDatagramChannel channel = datagrams.open(atSender);
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        Await.failure(channel.write(bytes("x"), other.getLocalAddress()), "a write to another");
        Await.success(channel.write(bytes("to the peer")), "a write to the peer");
        assertEquals(List.of("to the peer"), mailbox.awaitLetters(1));
    }

    @Test
    void shouldReportAnUnreachablePortAndContinue() throws IOException {
        NioDatagramChannel to = datagrams.bind(mailbox);
        NioDatagramChannel channel = datagrams.bind(atSender);
        Await.success(channel.connect(DatagramRig.nobody()), "the connect");
        Await.success(channel.write(bytes("anybody?")), "the write");
        assertInstanceOf(PortUnreachableException.class, atSender.awaitFailure());
        assertTrue(channel.isConnected());
        Await.success(channel.disconnect(), "the disconnect");
        Await.success(channel.write(bytes("still here"), to.getLocalAddress()), "a write to another");
        assertEquals(List.of("still here"), mailbox.awaitLetters(1));
    }

    /** The system may report it at the next send, which then fails, or at a receive. */
    @Test
    void shouldReportAnUnreachablePortWhileReadingIsOff() throws IOException {
        NioDatagramChannel channel = datagrams.bind(atSender);
        Await.success(channel.connect(DatagramRig.nobody()), "the connect");
        Await.success(channel.setReadable(false), "the end of reading");
        Await.success(channel.write(bytes("anybody?")), "the write");
        Await.until(
                () -> Await.done(channel.write(bytes("and now?")), "a write").getCause() != null, "a failed write");
        assertInstanceOf(PortUnreachableException.class, atSender.awaitFailure());
        assertTrue(channel.isConnected());
    }

    @Test
    void shouldFailSendsBeforeTheBindAndAfterTheClose() {
        NioDatagramChannel channel = datagrams.open(mailbox);
        assertInstanceOf(
                NotYetBoundException.class, Await.failure(channel.write(bytes("x"), Rig.FREE_PORT), "an early write"));
        Await.success(channel.close(), "the close");
        assertInstanceOf(
                ClosedChannelException.class, Await.failure(channel.write(bytes("x"), Rig.FREE_PORT), "a late write"));
        assertInstanceOf(ClosedChannelException.class, Await.failure(channel.bind(Rig.FREE_PORT), "a late bind"));
        assertInstanceOf(ClosedChannelException.class, Await.failure(channel.connect(Rig.FREE_PORT), "a late connect"));
        assertEquals(List.of("open", "closed"), mailbox.events());
    }

    @Test
    void shouldFailOperationsTheSocketRefusesAndStayOpen() {
        NioDatagramChannel first = datagrams.bind(mailbox);
        NioDatagramChannel second = datagrams.open(atSender);
        assertInstanceOf(BindException.class, Await.failure(second.bind(first.getLocalAddress()), "a taken port"));
        assertInstanceOf(AlreadyBoundException.class, Await.failure(first.bind(Rig.FREE_PORT), "a second bind"));
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 9);
        assertInstanceOf(UnknownHostException.class, Await.failure(second.connect(unresolved), "an unresolved peer"));
        Await.success(second.connect(first.getLocalAddress()), "the connect");
        assertInstanceOf(
                AlreadyConnectedException.class,
                Await.failure(second.connect(first.getLocalAddress()), "a second connect"));
        Await.success(second.write(bytes("x")), "the write");
        assertEquals(List.of("x"), mailbox.awaitLetters(1));
    }

    @Test
    void shouldReceiveTheLargestDatagramWhole() {
        String largest = "x".repeat(65_507);
        NioDatagramChannel to =
                datagrams.bind(new InetSocketAddress("127.0.0.1", 0), mailbox, Map.of("receiveBufferSize", 1 << 20));
        NioDatagramChannel from =
                datagrams.bind(new InetSocketAddress("127.0.0.1", 0), atSender, Map.of("sendBufferSize", 1 << 20));
        Await.success(from.write(bytes(largest), to.getLocalAddress()), "the write");
        assertEquals(largest, mailbox.awaitLetters(1).get(0));
    }

    @Test
    void shouldReportADatagramBeyondThePredictorsLimit() {
        NioDatagramChannel to = datagrams.bind(
                Rig.FREE_PORT,
                mailbox,
                Map.of("receiveBufferSizePredictorFactory", new FixedReceiveBufferSizePredictorFactory(4)));
        NioDatagramChannel from = datagrams.bind(atSender);
        for (String letter : List.of("fits", "does not", "good")) {
            Await.success(from.write(bytes(letter), to.getLocalAddress()), "a write");
        }
        assertEquals(List.of("fits", "good"), mailbox.awaitLetters(2));
        Throwable report = mailbox.awaitFailure();
        assertInstanceOf(ChannelException.class, report);
        assertTrue(report.getMessage().startsWith("dropped a datagram of more than 4 bytes"), report::getMessage);
        assertTrue(report.getMessage().contains("" + from.getLocalAddress()), report::getMessage);
    }

    @Test
    void shouldGrowAnAdaptivePredictorUntilDatagramsFit() {
        NioDatagramChannel to = datagrams.bind(
                Rig.FREE_PORT,
                mailbox,
                Map.of(
                        "receiveBufferSizePredictorFactory",
                        new AdaptiveReceiveBufferSizePredictorFactory(64, 64, 65536)));
        NioDatagramChannel from = datagrams.bind(atSender);
        for (int tries = 1; mailbox.letters().isEmpty(); tries++) {
            assertTrue(tries <= 10, "9,000 bytes fit after some doublings of 64");
            Await.success(from.write(bytes("x".repeat(9000)), to.getLocalAddress()), "a write");
            int outcomes = tries;
            Await.until(() -> mailbox.failures().size() + mailbox.letters().size() == outcomes, "an outcome");
        }
        assertFalse(mailbox.failures().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldContinueAfterAHandlerThrew(boolean isError) {
        CountDownLatch thrown = new CountDownLatch(1);
        Mailbox thrower = new Mailbox() {
            @Override
            void onMessage(MessageEvent e) throws Exception {
                super.onMessage(e);
                if (thrown.getCount() > 0) {
                    thrown.countDown();
                    if (isError) {
                        throw new NoClassDefFoundError("thrown on purpose");
                    }
                    throw new IllegalStateException("thrown on purpose");
                }
            }
        };
        NioDatagramChannel to = datagrams.bind(thrower);
        NioDatagramChannel from = datagrams.bind(atSender);
        Await.success(from.write(bytes("a"), to.getLocalAddress()), "a write");
        Await.success(from.write(bytes("b"), to.getLocalAddress()), "a write");
        assertEquals(List.of("a", "b"), thrower.awaitLetters(2));
        assertEquals("thrown on purpose", thrower.awaitFailure().getMessage());
    }

    /** The leak check after the class finds sockets left open. */
    @Test
    void shouldCloseTheSocketOfAChannelThatCannotBeCreated() {
        ChannelHandler exclusive = new BlockingReadHandler<Object>();
        ChannelPipeline first = Channels.pipeline(exclusive);
        ChannelPipeline second = Channels.pipeline(exclusive);
        datagrams.factory.newChannel(first);
        assertThrows(ChannelPipelineException.class, () -> datagrams.factory.newChannel(second));
        assertThrows(IllegalStateException.class, () -> datagrams.factory.newChannel(first));
    }
}
