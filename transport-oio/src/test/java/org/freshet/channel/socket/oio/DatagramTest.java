package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.AdaptiveReceiveBufferSizePredictorFactory;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.channel.socket.DatagramChannel;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(new OioDatagramChannelFactory());

    @AfterEach
    void closeAll() {
        bootstrap.releaseExternalResources();
    }

    private DatagramChannel bind(SocketAddress address, ChannelHandler handler) {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        return (DatagramChannel) bootstrap.bind(address);
    }

    private DatagramChannel unbound(ChannelHandler handler) {
        return (DatagramChannel) bootstrap.getFactory().newChannel(Channels.pipeline(handler));
    }

    /** Also records the texts and senders of datagrams. */
    private static final class Receiver extends Recorder {
        final List<String> datagrams = new CopyOnWriteArrayList<>();
        final List<SocketAddress> senders = new CopyOnWriteArrayList<>();
        final AtomicLong written = new AtomicLong();

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof MessageEvent message) {
                senders.add(message.getRemoteAddress());
                datagrams.add(textOf((ChannelBuffer) message.getMessage()));
            } else if (e instanceof WriteCompletionEvent completion) {
                written.addAndGet(completion.getWrittenAmount());
            }
            super.handle(ctx, e);
        }

        Receiver awaitDatagrams(int count) {
            Await.until(() -> datagrams.size() >= count, () -> count + " datagrams; received " + datagrams);
            return this;
        }
    }

    private static String textOf(ChannelBuffer buffer) {
        return buffer.toString(StandardCharsets.ISO_8859_1);
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.wrappedBuffer(text.getBytes());
    }

    // ---- sending and receiving --------------------------------------------------------------------------------------

    /** Otherwise the thread could not wait for the next datagram, and would never rest again. */
    @Test
    void shouldClearAnInterruptThatAHandlerLeft() {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        DatagramChannel to = bind(ANY_PORT, new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                if (e instanceof MessageEvent) {
                    interrupted.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                }
            }
        });
        DatagramChannel from = bind(ANY_PORT, new Recorder());
        for (int i = 1; i <= 3; i++) {
            int count = i;
            from.write(bytes("datagram"), to.getLocalAddress());
            Await.until(() -> interrupted.size() == count, () -> count + " datagrams; received " + interrupted);
        }
        assertEquals(List.of(false, false, false), interrupted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldSendToAnAddressAndReportTheSender(String host) {
        Receiver receiver = new Receiver();
        Receiver sender = new Receiver();
        DatagramChannel to = bind(new InetSocketAddress(host, 0), receiver);
        DatagramChannel from = bind(new InetSocketAddress(host, 0), sender);
        Await.success(from.write(bytes("one"), to.getLocalAddress()), "the first");
        Await.success(from.write(bytes(""), to.getLocalAddress()), "an empty one");
        Await.success(from.write(bytes("three"), to.getLocalAddress()), "the third");
        receiver.awaitDatagrams(3);
        assertEquals(List.of("one", "", "three"), receiver.datagrams);
        assertEquals(from.getLocalAddress(), receiver.senders.get(0));
        Await.until(() -> sender.written.get() == 8, () -> "8 bytes reported; were " + sender.written);
    }

    @Test
    void shouldAnswerFromTheHandler() throws IOException {
        Recorder echo = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof MessageEvent message) {
                    ctx.getChannel().write(message.getMessage(), message.getRemoteAddress());
                }
                super.handle(ctx, e);
            }
        };
        DatagramChannel channel = bind(ANY_PORT, echo);
        try (DatagramSocket peer = new DatagramSocket(ANY_PORT)) {
            peer.setSoTimeout((int) Await.LIMIT.toMillis());
            peer.send(new DatagramPacket("ping".getBytes(), 4, channel.getLocalAddress()));
            DatagramPacket answer = new DatagramPacket(new byte[10], 10);
            peer.receive(answer);
            assertEquals("ping", new String(answer.getData(), 0, answer.getLength()));
        }
    }

    @Test
    void shouldFireEventsInTheOrderOfASocket() {
        Receiver events = new Receiver();
        DatagramChannel peer = bind(ANY_PORT, new Receiver());
        DatagramChannel channel = bind(ANY_PORT, events);
        Await.success(channel.connect(peer.getLocalAddress()), "the connection");
        assertTrue(channel.isConnected());
        Await.success(channel.disconnect(), "the disconnection");
        assertFalse(channel.isConnected());
        assertTrue(channel.isBound());
        Await.success(channel.connect(peer.getLocalAddress()), "the second connection");
        Await.success(channel.close(), "the close");
        assertEquals(
                List.of("open", "bound", "connected", "disconnected", "connected", "disconnected", "unbound", "closed"),
                events.awaitClosed().events());
    }

    @Test
    void shouldExchangeDatagramsWithOnePeerWhileConnected() {
        Receiver receiver = new Receiver();
        Receiver client = new Receiver();
        DatagramChannel server = bind(ANY_PORT, receiver);
        DatagramChannel stranger = bind(ANY_PORT, new Receiver());
        DatagramChannel channel = unbound(client);
        Await.success(channel.connect(server.getLocalAddress()), "the connection");
        assertTrue(channel.isBound());
        assertEquals(server.getLocalAddress(), channel.getRemoteAddress());
        Await.success(channel.write(bytes("to the peer")), "the write");
        receiver.awaitDatagrams(1);
        Await.success(stranger.write(bytes("from a stranger"), channel.getLocalAddress()), "the stranger's write");
        Await.success(server.write(bytes("from the peer"), channel.getLocalAddress()), "the peer's write");
        client.awaitDatagrams(1);
        assertEquals(List.of("from the peer"), client.datagrams);
    }

    @Test
    void shouldConnectAndDisconnectWhileTheIoThreadWaitsForDatagrams() {
        Receiver receiver = new Receiver();
        DatagramChannel silent = bind(ANY_PORT, new Receiver());
        DatagramChannel channel = bind(ANY_PORT, receiver);
        for (int i = 0; i < 20; i++) {
            Await.success(channel.connect(silent.getLocalAddress()), "connection " + i);
            Await.success(channel.disconnect(), "disconnection " + i);
        }
        Await.success(silent.write(bytes("still there"), channel.getLocalAddress()), "the write");
        assertEquals(List.of("still there"), receiver.awaitDatagrams(1).datagrams);
    }

    @Test
    void shouldLeaveDatagramsInTheSocketWhileReadingIsOff() {
        Receiver receiver = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        DatagramChannel from = bind(ANY_PORT, new Receiver());
        Await.success(to.setReadable(false), "setReadable");
        Await.success(from.write(bytes("a"), to.getLocalAddress()), "the first write");
        Await.success(from.write(bytes("b"), to.getLocalAddress()), "the second write");
        Await.success(to.getPipeline().execute(() -> assertEquals(List.of(), receiver.datagrams)), "a look");
        to.setReadable(true);
        assertEquals(List.of("a", "b"), receiver.awaitDatagrams(2).datagrams);
    }

    @Test
    void shouldReceiveTheLargestDatagramWholeByDefault() {
        bootstrap.setOption("receiveBufferSize", 1 << 20);
        bootstrap.setOption("sendBufferSize", 1 << 20);
        Receiver receiver = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        DatagramChannel from = bind(ANY_PORT, new Receiver());
        String largest = "x".repeat(65_507);
        Await.success(from.write(bytes(largest), to.getLocalAddress()), "the write");
        assertEquals(largest, receiver.awaitDatagrams(1).datagrams.get(0));
    }

    // ---- truncation -------------------------------------------------------------------------------------------------

    @Test
    void shouldReportADatagramThatDoesNotFitInsteadOfTruncatingIt() {
        bootstrap.setOption("receiveBufferSizePredictorFactory", new FixedReceiveBufferSizePredictorFactory(4));
        Receiver receiver = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        DatagramChannel from = bind(ANY_PORT, new Receiver());
        for (String datagram : List.of("fits", "does not", "good")) {
            Await.success(from.write(bytes(datagram), to.getLocalAddress()), "a write");
        }
        receiver.awaitDatagrams(2);
        assertEquals(List.of("fits", "good"), receiver.datagrams);
        Throwable report = receiver.failures().get(0);
        assertInstanceOf(ChannelException.class, report);
        assertTrue(report.getMessage().startsWith("dropped a datagram of more than 4 bytes"), report.getMessage());
        assertTrue(report.getMessage().contains(from.getLocalAddress().toString()), report.getMessage());
    }

    @Test
    void shouldGrowAnAdaptivePredictorUntilDatagramsFit() {
        bootstrap.setOption(
                "receiveBufferSizePredictorFactory", new AdaptiveReceiveBufferSizePredictorFactory(64, 64, 65536));
        Receiver receiver = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        DatagramChannel from = bind(ANY_PORT, new Receiver());
        String datagram = "x".repeat(9000);
        for (int tries = 1; receiver.datagrams.isEmpty(); tries++) {
            assertTrue(tries <= 20, "no datagram fits after " + tries);
            Await.success(from.write(bytes(datagram), to.getLocalAddress()), "a write");
            int seen = tries;
            Await.until(() -> receiver.failures().size() + receiver.datagrams.size() == seen, "an outcome");
        }
        assertEquals(datagram, receiver.datagrams.get(0));
        assertFalse(receiver.failures().isEmpty());
    }

    // ---- failures ---------------------------------------------------------------------------------------------------

    @Test
    void shouldFailOnlyTheBadSend() {
        Receiver receiver = new Receiver();
        Receiver sender = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        DatagramChannel from = bind(ANY_PORT, sender);
        Throwable tooLarge =
                Await.failure(from.write(bytes("x".repeat(70_000)), to.getLocalAddress()), "a large datagram");
        assertInstanceOf(IOException.class, tooLarge);
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 9);
        Throwable unresolved = Await.failure(from.write(bytes("x"), nowhere), "an unresolved address");
        assertInstanceOf(UnknownHostException.class, unresolved);
        assertTrue(unresolved.getMessage().contains("nowhere.invalid:9"), unresolved.getMessage());
        assertInstanceOf(
                IllegalArgumentException.class, Await.failure(from.write("text", to.getLocalAddress()), "a string"));
        assertInstanceOf(NotYetConnectedException.class, Await.failure(from.write(bytes("x")), "no address"));
        Await.success(from.write(bytes("good"), to.getLocalAddress()), "a good datagram");
        assertEquals(List.of("good"), receiver.awaitDatagrams(1).datagrams);
        assertEquals(List.of(), sender.failures());
        assertTrue(from.isOpen());
    }

    @Test
    void shouldFailSendsBeforeTheBindAndAfterTheClose() {
        Receiver events = new Receiver();
        DatagramChannel channel = unbound(events);
        assertInstanceOf(
                NotYetBoundException.class, Await.failure(channel.write(bytes("x"), ANY_PORT), "an early one"));
        Await.success(channel.close(), "the close");
        assertInstanceOf(
                ClosedChannelException.class, Await.failure(channel.write(bytes("x"), ANY_PORT), "a late one"));
        assertEquals(List.of("open", "closed"), events.awaitClosed().events());
    }

    @Test
    void shouldReportAnUnreachablePeerAndContinue() throws IOException {
        InetSocketAddress gone;
        try (DatagramSocket socket = new DatagramSocket(ANY_PORT)) {
            gone = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        Receiver receiver = new Receiver();
        DatagramChannel channel = bind(ANY_PORT, receiver);
        Await.success(channel.connect(gone), "the connection");
        channel.write(bytes("anybody?"));
        receiver.awaitEvent("exception");
        assertInstanceOf(PortUnreachableException.class, receiver.failures().get(0));
        Await.success(channel.disconnect(), "the disconnection");
        Await.success(channel.write(bytes("myself"), channel.getLocalAddress()), "the write");
        assertEquals(List.of("myself"), receiver.awaitDatagrams(1).datagrams);
    }

    @Test
    void shouldFreeThePortWhenClosed() {
        DatagramChannel first = bind(ANY_PORT, new Receiver());
        InetSocketAddress address = first.getLocalAddress();
        for (int i = 0; i < 20; i++) {
            Await.success(first.close(), "the close");
            first = bind(address, new Receiver());
            assertEquals(address, first.getLocalAddress());
        }
    }

    @Test
    void shouldFireEventsOnAThreadOfTheChannel() {
        Receiver receiver = new Receiver();
        DatagramChannel to = bind(ANY_PORT, receiver);
        Await.success(to.write(bytes("x"), to.getLocalAddress()), "the write");
        receiver.awaitDatagrams(1);
        to.close();
        receiver.awaitClosed();
        assertSame(receiver.threadOf("message"), receiver.threadOf("closed"));
        assertTrue(receiver.threadOf("message") != Thread.currentThread());
    }

    // ---- multicast --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"239.255.17.42", "ff12::1742"})
    void shouldReceiveFromAGroupUntilItIsLeft(String groupAddress) throws IOException {
        InetAddress group = InetAddress.getByName(groupAddress);
        NetworkInterface networkInterface = interfaceFor(group);
        bootstrap.setOption("reuseAddress", true);
        bootstrap.setOption("networkInterface", networkInterface);
        bootstrap.setOption("loopbackModeDisabled", false);
        Receiver receiver = new Receiver();
        DatagramChannel member = bind(new InetSocketAddress(0), receiver);
        DatagramChannel sender = bind(new InetSocketAddress(0), new Receiver());
        InetSocketAddress to =
                new InetSocketAddress(group, member.getLocalAddress().getPort());
        Await.success(member.joinGroup(group), "the join");
        Await.success(sender.write(bytes("to the group"), to), "the write");
        assertEquals(List.of("to the group"), receiver.awaitDatagrams(1).datagrams);
        Await.success(member.leaveGroup(group), "the leave");
        assertInstanceOf(IllegalArgumentException.class, Await.failure(member.leaveGroup(group), "a second leave"));
        Await.success(sender.write(bytes("to others"), to), "a write to the group");
        InetSocketAddress direct = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), member.getLocalAddress().getPort());
        Await.success(sender.write(bytes("to the member"), direct), "a write to the member");
        assertEquals(List.of("to the group", "to the member"), receiver.awaitDatagrams(2).datagrams);
        Await.success(member.joinGroup(to, networkInterface), "a join by interface");
        Await.success(member.leaveGroup(to, networkInterface), "a leave by interface");
    }

    @Test
    void shouldFailToJoinAnAddressThatIsNotAGroup() {
        DatagramChannel channel = bind(new InetSocketAddress(0), new Receiver());
        assertInstanceOf(
                IllegalArgumentException.class,
                Await.failure(channel.joinGroup(InetAddress.getLoopbackAddress()), "the join"));
    }

    /** The loopback interface has a route for IPv4 groups, but not for IPv6 groups. */
    private static NetworkInterface interfaceFor(InetAddress group) throws IOException {
        if (group instanceof Inet4Address) {
            return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        }
        Optional<NetworkInterface> found = NetworkInterface.networkInterfaces()
                .filter(DatagramTest::hasMulticastOverIpv6)
                .findFirst();
        assumeTrue(found.isPresent(), "an interface with IPv6 and multicast");
        return found.orElseThrow();
    }

    private static boolean hasMulticastOverIpv6(NetworkInterface candidate) {
        try {
            return candidate.isUp()
                    && !candidate.isLoopback()
                    && candidate.supportsMulticast()
                    && candidate.inetAddresses().anyMatch(Inet6Address.class::isInstance);
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
    }

    // ---- options ----------------------------------------------------------------------------------------------------

    @Test
    void shouldReadOptionsBackFromTheSocket() {
        DatagramChannel channel = unbound(new Receiver());
        channel.getConfig().setBroadcast(true);
        channel.getConfig().setTimeToLive(7);
        channel.getConfig().setReuseAddress(true);
        channel.getConfig().setLoopbackModeDisabled(true);
        assertTrue(channel.getConfig().isBroadcast());
        assertEquals(7, channel.getConfig().getTimeToLive());
        assertTrue(channel.getConfig().isReuseAddress());
        assertTrue(channel.getConfig().isLoopbackModeDisabled());
        assertNull(channel.getLocalAddress());
        channel.close();
    }
}
