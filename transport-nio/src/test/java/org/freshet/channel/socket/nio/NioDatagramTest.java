package org.freshet.channel.socket.nio;

import static org.freshet.channel.socket.nio.DatagramRig.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.InternetProtocolFamily;
import org.freshet.channel.socket.nio.DatagramRig.Mailbox;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NioDatagramTest {
    private final DatagramRig datagrams = new DatagramRig();
    private final Mailbox mailbox = new Mailbox();

    @AfterEach
    void release() {
        datagrams.close();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,", "127.0.0.1, IPv4", "::1,", "::1, IPv6"})
    void shouldSendToAnAddressAndReportTheSender(String host, InternetProtocolFamily family) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        assumeTrue(NetworkInterface.getByInetAddress(address) != null, "this machine has " + host);
        try (DatagramRig ofFamily = new DatagramRig(family)) {
            InetSocketAddress anyPort = new InetSocketAddress(address, 0);
            NioDatagramChannel to = ofFamily.bind(anyPort, mailbox, Map.of());
            NioDatagramChannel from = ofFamily.bind(anyPort, new Mailbox(), Map.of());
            Await.success(from.write(bytes("one"), to.getLocalAddress()), "a datagram");
            Await.success(from.write(bytes(""), to.getLocalAddress()), "an empty one");
            Await.success(from.write(bytes("three"), to.getLocalAddress()), "the third");
            assertEquals(List.of("one", "", "three"), mailbox.awaitLetters(3));
            InetSocketAddress sender = from.getLocalAddress();
            assertEquals(List.of(sender, sender, sender), mailbox.senders());
        }
    }

    @Test
    void shouldAnswerFromItsHandler() {
        NioDatagramChannel echo = datagrams.bind(new Mailbox() {
            @Override
            void onMessage(MessageEvent e) {
                e.getChannel().write(e.getMessage(), e.getRemoteAddress());
            }
        });
        NioDatagramChannel client = datagrams.bind(mailbox);
        for (int i = 0; i < 100; i++) {
            client.write(bytes("ping " + i), echo.getLocalAddress());
            assertEquals("ping " + i, mailbox.awaitLetters(i + 1).get(i));
        }
        assertEquals(echo.getLocalAddress(), mailbox.senders().get(0));
    }

    @Test
    void shouldFireTheEventsOfItsLifeInOrder() {
        NioDatagramChannel peer = datagrams.bind(new Mailbox());
        NioDatagramChannel channel = datagrams.open(mailbox);
        assertFalse(channel.isBound());
        assertNull(channel.getLocalAddress());
        Await.success(channel.bind(Rig.FREE_PORT), "the bind");
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        assertTrue(channel.isConnected());
        assertEquals(peer.getLocalAddress(), channel.getRemoteAddress());
        Await.success(channel.disconnect(), "the disconnect");
        assertTrue(channel.isBound());
        assertFalse(channel.isConnected());
        assertNull(channel.getRemoteAddress());
        Await.success(channel.disconnect(), "a disconnect without a connection");
        Await.success(channel.connect(peer.getLocalAddress()), "the second connect");
        Await.success(channel.close(), "the close");
        mailbox.awaitClosed();
        assertEquals(
                List.of("open", "bound", "connected", "disconnected", "connected", "disconnected", "unbound", "closed"),
                mailbox.events());
        assertEquals(List.of(), mailbox.failures());
    }

    @Test
    void shouldFireTheEventOfAChangeBeforeThoseOfItsListenersRequests() throws Exception {
        NioDatagramChannel peer = datagrams.bind(new Mailbox());
        NioDatagramChannel channel = datagrams.open(mailbox);
        Rig.holding(
                channel,
                () -> channel.bind(Rig.FREE_PORT)
                        .addListener(bound -> channel.connect(peer.getLocalAddress())
                                .addListener(connected ->
                                        channel.disconnect().addListener(disconnected -> channel.close()))));
        mailbox.awaitClosed();
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), mailbox.events());
    }

    @Test
    void shouldBindItselfWhenItConnects() {
        NioDatagramChannel peer = datagrams.bind(new Mailbox());
        NioDatagramChannel channel = datagrams.open(mailbox);
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        assertTrue(channel.isBound());
        assertTrue(channel.getLocalAddress().getPort() > 0);
        Await.success(channel.unbind(), "the unbind");
        mailbox.awaitClosed();
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), mailbox.events());
    }

    @Test
    void shouldConnectThroughABootstrap() {
        NioDatagramChannel peer = datagrams.bind(new Mailbox());
        ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(datagrams.factory);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(mailbox));
        Channel channel = Await.success(bootstrap.connect(peer.getLocalAddress()), "the connect")
                .getChannel();
        Await.success(peer.write(bytes("to the client"), channel.getLocalAddress()), "the peer's write");
        assertEquals(List.of("to the client"), mailbox.awaitLetters(1));
    }

    @Test
    void shouldReceiveOnlyFromItsPeerWhileConnected() {
        NioDatagramChannel peer = datagrams.bind(new Mailbox());
        NioDatagramChannel stranger = datagrams.bind(new Mailbox());
        NioDatagramChannel channel = datagrams.bind(mailbox);
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        Await.success(stranger.write(bytes("from a stranger"), channel.getLocalAddress()), "the stranger's write");
        Await.success(peer.write(bytes("from the peer"), channel.getLocalAddress()), "the peer's write");
        assertEquals(List.of("from the peer"), mailbox.awaitLetters(1));
        Await.success(channel.disconnect(), "the disconnect");
        Await.success(stranger.write(bytes("again"), channel.getLocalAddress()), "the stranger's second write");
        assertEquals(List.of("from the peer", "again"), mailbox.awaitLetters(2));
    }

    @Test
    void shouldAlsoWriteToItsPeerByAddress() {
        NioDatagramChannel peer = datagrams.bind(mailbox);
        NioDatagramChannel channel = datagrams.open(new Mailbox());
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        Await.success(channel.write(bytes("a")), "a write");
        Await.success(channel.write(bytes("b"), peer.getLocalAddress()), "a write to the peer's address");
        assertEquals(List.of("a", "b"), mailbox.awaitLetters(2));
    }

    @Test
    void shouldDeliverWritesMadeBeforeADisconnectAndAClose() {
        int each = 30; // more than the loop sends in one share
        NioDatagramChannel peer = datagrams.bind(mailbox);
        NioDatagramChannel channel = datagrams.open(new Mailbox());
        Await.success(channel.connect(peer.getLocalAddress()), "the connect");
        Rig.onLoop(channel, () -> {
            write(channel, each, null);
            channel.disconnect();
            write(channel, each, peer.getLocalAddress());
            channel.close();
        });
        assertEquals(2 * each, mailbox.awaitLetters(2 * each).size());
    }

    private static void write(NioDatagramChannel channel, int count, InetSocketAddress to) {
        for (int i = 0; i < count; i++) {
            channel.write(bytes("letter " + i), to);
        }
    }

    @Test
    void shouldLeaveDatagramsInTheSocketWhileReadingIsOff() {
        NioDatagramChannel to = datagrams.bind(mailbox);
        NioDatagramChannel from = datagrams.bind(new Mailbox());
        Await.success(to.setReadable(false), "the end of reading");
        Await.success(from.write(bytes("a"), to.getLocalAddress()), "a write");
        Rig.onLoop(to, () -> assertEquals(List.of(), mailbox.letters()));
        Await.success(to.setReadable(true), "reading again");
        assertEquals(List.of("a"), mailbox.awaitLetters(1));
    }

    @Test
    void shouldStopReadingImmediatelyWithinABatch() {
        Mailbox oneAtATime = new Mailbox() {
            @Override
            void onMessage(MessageEvent e) throws Exception {
                super.onMessage(e);
                e.getChannel().setReadable(false);
            }
        };
        NioDatagramChannel to = datagrams.bind(oneAtATime);
        NioDatagramChannel from = datagrams.bind(new Mailbox());
        Await.success(to.setReadable(false), "the end of reading");
        for (int i = 0; i < 3; i++) {
            Await.success(from.write(bytes("" + i), to.getLocalAddress()), "a write");
        }
        for (int i = 1; i <= 3; i++) {
            Await.success(to.setReadable(true), "reading again");
            oneAtATime.awaitLetters(i);
            int expected = i;
            Rig.onLoop(to, () -> assertEquals(expected, oneAtATime.letters().size()));
        }
    }

    @Test
    void shouldSendEveryKindOfBufferAsItWasWritten() {
        NioDatagramChannel to = datagrams.bind(mailbox);
        NioDatagramChannel from = datagrams.bind(new Mailbox());
        ChannelBuffer direct = ChannelBuffers.directBuffer(20);
        direct.writeBytes(bytes("xdirect"));
        direct.readerIndex(1);
        ChannelBuffer dynamic = ChannelBuffers.dynamicBuffer(1);
        dynamic.writeBytes(bytes("dynamic"));
        List<ChannelBuffer> messages =
                List.of(bytes("heap"), direct, dynamic, ChannelBuffers.wrappedBuffer(bytes("compo"), bytes("site")));
        for (ChannelBuffer message : messages) {
            int start = message.readerIndex();
            Await.success(from.write(message, to.getLocalAddress()), "a write");
            assertEquals(start, message.readerIndex(), "the writer's indices are unchanged");
        }
        assertEquals(List.of("heap", "direct", "dynamic", "composite"), mailbox.awaitLetters(4));
    }

    @Test
    void shouldKeepTheOrderOfEachOfSeveralWriters() {
        int threads = 4;
        int each = 500;
        NioDatagramChannel to = datagrams.bind(Rig.FREE_PORT, mailbox, Map.of("receiveBufferSize", 1 << 20));
        NioDatagramChannel from = datagrams.bind(new Mailbox());
        CountDownLatch done = new CountDownLatch(threads);
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            writers.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    ChannelFuture written = from.write(bytes(thread + " " + i), to.getLocalAddress());
                    if (i % 20 == 19) { // so that the receiver keeps up: a full socket drops datagrams
                        Await.success(written, "a write");
                        int received = i;
                        Await.until(() -> mailbox.letters().contains(thread + " " + received), "the arrival");
                    }
                }
                done.countDown();
            }));
        }
        writers.forEach(Thread::start);
        Await.latch(done, "all writers");
        int[] next = new int[threads];
        for (String letter : mailbox.awaitLetters(threads * each)) {
            String[] parts = letter.split(" ");
            int thread = Integer.parseInt(parts[0]);
            assertEquals(next[thread]++, Integer.parseInt(parts[1]), "order of thread " + thread);
        }
        writers.forEach(Await::end);
    }

    @Test
    void shouldSetOptionsOnTheLiveSocket() {
        NioDatagramChannel channel =
                datagrams.bind(Rig.FREE_PORT, mailbox, Map.of("broadcast", true, "timeToLive", 7, "writeSpinCount", 3));
        assertTrue(channel.getConfig().isBroadcast());
        assertEquals(7, channel.getConfig().getTimeToLive());
        assertEquals(3, channel.getConfig().getWriteSpinCount());
        channel.getConfig().setTimeToLive(9);
        assertEquals(9, channel.getConfig().getTimeToLive());
    }

    @Test
    void shouldCloseItsChannelsAndCreateClosedOnesAfterTheRelease() {
        NioDatagramChannel channel = datagrams.bind(mailbox);
        List<ChannelFuture> futures = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            futures.add(channel.write(bytes("x"), channel.getLocalAddress()));
        }
        datagrams.close();
        assertFalse(channel.isOpen());
        futures.forEach(future -> assertTrue(future.isDone(), "done when the release returns"));
        assertTrue(mailbox.events().contains("closed"));
        Await.failure(channel.write(bytes("x"), Rig.FREE_PORT), "a write after the release");
        Await.failure(channel.joinGroup(InetAddress.getLoopbackAddress()), "a join after the release");
        Await.success(channel.close(), "a close after the release");
        assertFalse(datagrams.open(new Mailbox()).isOpen());
    }

    @Test
    void shouldShareWorkersAndContinueAcrossARebuildOfTheirSelectors() {
        NioDatagramWorkerPool pool = new NioDatagramWorkerPool(Executors.newCachedThreadPool(), 1);
        ShareableWorkerPool<NioDatagramWorker> shared = new ShareableWorkerPool<>(pool);
        NioDatagramChannelFactory first = new NioDatagramChannelFactory(shared);
        NioDatagramChannelFactory second = new NioDatagramChannelFactory(shared, InternetProtocolFamily.IPv4);
        NioDatagramChannel to = (NioDatagramChannel) first.newChannel(Channels.pipeline(mailbox));
        NioDatagramChannel from = (NioDatagramChannel) second.newChannel(Channels.pipeline(new Mailbox()));
        assertSame(to.getWorker(), from.getWorker());
        Await.success(to.bind(Rig.FREE_PORT), "the bind");
        Await.success(from.bind(new InetSocketAddress("127.0.0.1", 0)), "the bind");
        shared.rebuildSelectors();
        Await.success(from.write(bytes("after"), to.getLocalAddress()), "the write");
        assertEquals(List.of("after"), mailbox.awaitLetters(1));
        first.releaseExternalResources();
        Rig.onLoop(from, () -> {});
        shared.destroy();
        assertFalse(from.isOpen() || to.isOpen());
    }
}
