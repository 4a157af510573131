package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMX;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.AcceptGuard.WhenFull;
import org.freshet.bootstrap.BootstrapMXBean;
import org.freshet.bootstrap.BootstrapRegistration;
import org.freshet.bootstrap.GuardAccess;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How an {@link AcceptGuard} affects servers of a socket transport. */
public abstract class AcceptGuardContract {
    /** {@code -Dfreshet.test.cycles=20000} takes several seconds. */
    private static final int CYCLES = Integer.getInteger("freshet.test.cycles", 200);

    private final List<ScriptedPeer> peers = new ArrayList<>();
    private final List<Channel> children = new CopyOnWriteArrayList<>();
    private final AtomicInteger mostOpen = new AtomicInteger();

    private Rig rig;

    protected abstract Rig newRig();

    @BeforeEach
    void open() {
        rig = newRig();
    }

    @AfterEach
    void closeAll() throws IOException {
        for (ScriptedPeer peer : peers) {
            peer.close();
        }
        rig.close();
    }

    private final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            children.add(e.getChannel());
            long open = children.stream()
                    .filter(child -> !child.getCloseFuture().isDone())
                    .count();
            mostOpen.accumulateAndGet((int) open, Math::max);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private Channel listen(AcceptGuard guard) {
        rig.server().setAcceptGuard(guard);
        return rig.listen(Echo::new);
    }

    private ScriptedPeer connect(Channel server) throws IOException {
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        peers.add(peer);
        return peer;
    }

    private ScriptedPeer served(Channel server) throws IOException {
        return assertServed(connect(server));
    }

    private static ScriptedPeer assertServed(ScriptedPeer peer) throws IOException {
        assertEquals("ping", peer.send("ping").readText(4));
        return peer;
    }

    /** The reset may arrive while the peer is still connecting. */
    private void assertRefused(Channel server) throws IOException {
        ScriptedPeer peer;
        try {
            peer = connect(server);
        } catch (SocketException reset) {
            return;
        }
        peer.awaitEnd();
    }

    private static void awaitOpen(AcceptGuard guard, int count) {
        Await.until(() -> guard.getOpenConnections() == count, () -> "open: " + guard.getOpenConnections());
    }

    @Test
    void shouldLetConnectionsWaitWhileAllAreOpen() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(2).build();
        Channel server = listen(guard);
        List<ScriptedPeer> crowd = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            crowd.add(connect(server));
        }
        for (ScriptedPeer peer : crowd) { // in the order of the backlog
            assertServed(peer).close();
        }
        awaitOpen(guard, 0);
        assertTrue(mostOpen.get() <= 2, () -> "open at a time: " + mostOpen);
        assertEquals(0, guard.getRefused());
    }

    @Test
    void shouldResetConnectionsWhileAllAreOpenIfConfigured() throws Exception {
        AcceptGuard guard = AcceptGuard.builder()
                .maxConnections(1)
                .whenFull(WhenFull.REFUSE)
                .build();
        Channel server = listen(guard);
        ScriptedPeer first = served(server);
        assertRefused(server);
        assertEquals(1, guard.getRefused());
        assertEquals(1, guard.getRefusedByCause().get("full"));
        awaitOpen(guard, 1);
        first.close();
        awaitOpen(guard, 0);
        served(server);
    }

    @Test
    void shouldServeWaitingConnectionsWhenTheLimitIsRaised() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        Channel server = listen(guard);
        served(server);
        ScriptedPeer second = connect(server);
        guard.setMaxConnections(2);
        assertServed(second);
        guard.setMaxConnections(1);
        second.close();
        awaitOpen(guard, 1);
    }

    @Test
    void shouldAcceptNothingWhilePaused() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().build();
        Channel server = listen(guard);
        served(server).close();
        awaitOpen(guard, 0);
        guard.pause();
        ScriptedPeer waiting = connect(server).send("ping");
        assertEquals(1, children.size());
        guard.resume();
        assertEquals("ping", waiting.readText(4));
        assertEquals(2, children.size());
    }

    @Test
    void shouldShareTheLimitAmongServers() throws Exception {
        AcceptGuard guard = AcceptGuard.builder()
                .maxConnections(2)
                .whenFull(WhenFull.REFUSE)
                .build();
        Channel one = listen(guard);
        Channel other = listen(guard);
        ScriptedPeer first = served(one);
        served(other);
        assertRefused(one);
        assertRefused(other);
        first.close();
        awaitOpen(guard, 1);
        served(other);
    }

    @Test
    void shouldLetTheOtherServerAcceptWhenThereIsRoom() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        Channel one = listen(guard);
        Channel other = listen(guard);
        for (int i = 0; i < 10; i++) {
            ScriptedPeer first = served(one);
            ScriptedPeer second = connect(other);
            first.close();
            assertServed(second).close();
        }
        awaitOpen(guard, 0);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have a single loopback address")
    void shouldBoundTheConnectionsOfEachAddress() throws Exception {
        AcceptGuard guard =
                AcceptGuard.builder().perAddress(1).exempt("127.0.0.3/32").build();
        Channel server = listen(guard);
        for (int i = 0; i < 2; i++) {
            try (Socket first = from("127.0.0.2", server)) {
                assertServed(first);
                assertEquals(1, guard.getOpenConnections(InetAddress.getByName("127.0.0.2")));
                assertRefusedFrom("127.0.0.2", server);
                try (Socket stranger = from("127.0.0.4", server);
                        Socket exempt = from("127.0.0.3", server);
                        Socket exemptToo = from("127.0.0.3", server)) {
                    assertServed(stranger);
                    assertServed(exempt);
                    assertServed(exemptToo);
                }
            }
            awaitOpen(guard, 0);
            assertEquals(0, guard.getOpenConnections(InetAddress.getByName("127.0.0.2")));
        }
        assertEquals(2, guard.getRefusedByCause().get("address"));
    }

    private static Socket from(String address, Channel server) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(server.getLocalAddress());
        return socket;
    }

    private static void assertServed(Socket socket) throws IOException {
        socket.getOutputStream().write('p');
        assertEquals('p', socket.getInputStream().read());
    }

    private static void assertRefusedFrom(String address, Channel server) {
        int read;
        try (Socket socket = from(address, server)) {
            read = socket.getInputStream().read();
        } catch (SocketException reset) {
            return;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertEquals(-1, read);
    }

    @Test
    void shouldEventuallyServeAllWhenConnectionsExceedTheRate() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().perSecond(200, 2).build();
        Channel server = listen(guard);
        for (int i = 0; i < 10; i++) {
            served(server);
        }
        awaitOpen(guard, 10);
        assertEquals(0, guard.getRefused());
    }

    @Test
    void shouldCountNothingAfterManyConnectionsHaveEnded() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().build();
        Channel server = listen(guard);
        for (int i = 0; i < CYCLES; i++) {
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                if (i % 3 == 0) {
                    assertServed(peer);
                } else if (i % 3 == 1) {
                    peer.reset();
                }
            }
        }
        served(server).close();
        awaitOpen(guard, 0);
        assertEquals(0, guard.getOpenConnections(InetAddress.getLoopbackAddress()));
    }

    // ---- the options of a server ------------------------------------------------------------------------------------

    @Test
    void shouldLetConnectionsWaitBeyondTheServersOwnLimit() throws Exception {
        rig.server().setOption("maxConnections", "2");
        Channel server = rig.listen(Echo::new);
        List<ScriptedPeer> crowd = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            crowd.add(connect(server));
        }
        for (ScriptedPeer peer : crowd) { // in the order of the backlog
            assertServed(peer).close();
        }
        assertTrue(mostOpen.get() <= 2, () -> "open at a time: " + mostOpen);
    }

    @Test
    void shouldCountConnectionsThatAreOpenWhenALimitIsSet() throws Exception {
        Channel server = rig.listen(Echo::new);
        List<ScriptedPeer> crowd = new ArrayList<>(List.of(served(server), served(server)));
        rig.server().setOption("maxConnections", 2);
        for (int i = 0; i < 5; i++) {
            crowd.add(connect(server));
        }
        for (ScriptedPeer peer : crowd) {
            assertServed(peer).close();
        }
        assertTrue(mostOpen.get() <= 2, () -> "open at a time: " + mostOpen);
    }

    @Test
    void shouldServeWaitingConnectionsWhenTheServersOwnLimitIsRaisedOrRemoved() throws Exception {
        rig.server().setOption("maxConnections", 1);
        Channel server = rig.listen(Echo::new);
        served(server);
        ScriptedPeer second = connect(server);
        rig.server().setOption("maxConnections", 2);
        assertServed(second);
        ScriptedPeer third = connect(server);
        rig.server().setOption("maxConnections", null);
        assertServed(third);
        served(server);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have a single loopback address")
    void shouldBoundTheConnectionsOfEachAddressByTheServersOption() throws Exception {
        Channel server = rig.listen(Echo::new);
        try (BootstrapRegistration registration = rig.server().registerMBean("guarded")) {
            BootstrapMXBean bean = bean(registration);
            try (Socket first = from("127.0.0.2", server)) {
                assertServed(first);
                bean.setOption("maxConnectionsPerAddress", "1");
                assertRefusedFrom("127.0.0.2", server);
                try (Socket stranger = from("127.0.0.4", server)) {
                    assertServed(stranger);
                    assertRefusedFrom("127.0.0.4", server);
                }
                bean.removeOption("maxConnectionsPerAddress");
                try (Socket second = from("127.0.0.2", server)) {
                    assertServed(second);
                }
            }
            assertEquals(2, bean.getRefusedByReason().get("address"));
        }
    }

    // ---- an operator ------------------------------------------------------------------------------------------------

    private static BootstrapMXBean bean(BootstrapRegistration registration) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), registration.objectName(), BootstrapMXBean.class);
    }

    @Test
    void shouldAcceptNothingWhileAnOperatorPausesTheServer() throws Exception {
        Channel server = rig.listen(Echo::new);
        try (BootstrapRegistration registration = rig.server().registerMBean("paused")) {
            BootstrapMXBean bean = bean(registration);
            ScriptedPeer open = served(server);
            bean.pauseAccepting();
            assertTrue(bean.isAcceptingPaused());
            ScriptedPeer waiting = connect(server).send("ping");
            Channel late = rig.listen(Echo::new);
            ScriptedPeer waitingThere = connect(late).send("ping");
            assertServed(open);
            assertEquals(1, children.size());
            bean.resumeAccepting();
            assertEquals("ping", waiting.readText(4));
            assertEquals("ping", waitingThere.readText(4));
            assertEquals(3, children.size());
            assertFalse(bean.isAcceptingPaused());
        }
    }

    @Test
    void shouldShowAnOperatorWhatAGuardRefused() throws Exception {
        AcceptGuard guard = AcceptGuard.builder()
                .maxConnections(1)
                .whenFull(WhenFull.REFUSE)
                .build();
        Channel server = listen(guard);
        try (BootstrapRegistration registration = rig.server().registerMBean("refusing")) {
            served(server);
            assertRefused(server);
            assertEquals(
                    Map.of("address", 0L, "descriptors", 0L, "full", 1L, "rate", 0L),
                    bean(registration).getRefusedByReason());
        }
    }

    // ---- paths that fail --------------------------------------------------------------------------------------------

    @Test
    void shouldCountNothingWhenThePipelineFactoryThrows() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().perAddress(1).build();
        rig.server().setAcceptGuard(guard);
        rig.server().setParentHandler(new Recorder());
        AtomicInteger calls = new AtomicInteger();
        rig.server().setPipelineFactory(() -> {
            if (calls.incrementAndGet() <= 3) {
                throw new IllegalStateException("thrown on purpose");
            }
            return Channels.pipeline(new Echo());
        });
        Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        for (int i = 0; i < 3; i++) {
            assertRefused(server);
        }
        awaitOpen(guard, 0);
        served(server);
    }

    /** Throws each kind of exception that user code may throw, in turn. */
    private static void throwAnything(int call) {
        switch (call) {
            case 0 -> throw new IllegalStateException("thrown on purpose");
            case 1 -> throw new OutOfMemoryError("thrown on purpose");
            case 2 -> throw new StackOverflowError("thrown on purpose");
            default -> {}
        }
    }

    @Test
    void shouldServeAgainAfterThePipelineFactoryAndTheHandlerOfItsFailureHaveThrownAnything() throws Exception {
        AcceptGuard guard =
                AcceptGuard.builder().maxConnections(1).perAddress(1).build();
        rig.server().setAcceptGuard(guard);
        AtomicInteger failures = new AtomicInteger();
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                throwAnything(failures.getAndIncrement());
            }
        });
        AtomicInteger calls = new AtomicInteger();
        rig.server().setPipelineFactory(() -> {
            throwAnything(calls.getAndIncrement());
            return Channels.pipeline(new Echo());
        });
        Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        for (int i = 0; i < 3; i++) {
            assertRefused(server);
        }
        served(server).close();
        awaitOpen(guard, 0);
    }

    @Test
    void shouldServeAgainAndShutDownAfterTheGuardHasThrownAnything() throws Exception {
        AtomicInteger calls = new AtomicInteger(-1); // the guard reads the clock when it is created
        AcceptGuard guard = GuardAccess.setClock(
                        AcceptGuard.builder().maxConnections(1).perAddress(1).perSecond(1_000_000, 1_000_000), () -> {
                            throwAnything(calls.getAndIncrement());
                            return System.nanoTime();
                        })
                .build();
        Channel server = listen(guard);
        Await.until(
                () -> {
                    // A blocking server accepts before it asks, and resets the connection for which asking failed.
                    try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                        assertServed(peer);
                        return true;
                    } catch (IOException | AssertionError reset) {
                        return false;
                    }
                },
                "a connection that is served");
        awaitOpen(guard, 0);
        rig.close();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have a single loopback address")
    void shouldNeverHaveMoreOpenFromAnAddressThanAllowed() throws Exception {
        int limit = 3;
        AcceptGuard guard = AcceptGuard.builder().perAddress(limit).build();
        Channel server = listen(guard);
        List<Thread> crowds = new ArrayList<>();
        for (int i = 0; i < 3 * 2; i++) {
            String address = "127.0.0." + (2 + i % 3);
            crowds.add(new Thread(() -> churn(address, server)));
        }
        crowds.forEach(Thread::start);
        crowds.forEach(Await::end);
        awaitOpen(guard, 0);
        assertTrue(mostOpen.get() > 0, "nothing was served");
        assertTrue(mostOpen.get() <= 3 * limit, () -> "open at a time: " + mostOpen);
    }

    private static void churn(String address, Channel server) {
        for (int i = 0; i < CYCLES / 10; i++) {
            List<Socket> open = new ArrayList<>();
            try {
                for (int j = 0; j < 5; j++) {
                    open.add(from(address, server));
                }
                open.get(i % 5).getOutputStream().write('p');
                open.get(i % 5).getInputStream().read();
            } catch (IOException reset) {
                // that is what the guard does beyond the limit
            } finally {
                open.forEach(AcceptGuardContract::closeQuietly);
            }
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldCountNothingWhenTheParentHandlerClosesTheChild() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().perAddress(1).build();
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                e.getChildChannel().close();
            }
        });
        Channel server = listen(guard);
        for (int i = 0; i < 3; i++) {
            assertRefused(server);
            awaitOpen(guard, 0);
        }
    }

    @Test
    void shouldCountNothingAfterTheFactoryIsReleased() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(2).build();
        Channel server = listen(guard);
        served(server);
        served(server);
        connect(server); // waits
        rig.close();
        awaitOpen(guard, 0);
    }

    @Test
    void shouldKeepNoRoomForAServerThatIsClosed() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        Channel closed = listen(guard);
        Channel other = listen(guard);
        ScriptedPeer first = served(closed);
        connect(closed); // waits
        Await.success(closed.close(), "the close of the server");
        first.close();
        served(other);
    }

    @Test
    void shouldStopWaitingWhenTheServerIsClosed() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        Channel server = listen(guard);
        served(server);
        connect(server); // waits
        Await.until(() -> GuardAccess.waitingServers(guard) == 1, "the server to wait for room");
        Await.success(server.close(), "the close of the server");
        assertEquals(0, GuardAccess.waitingServers(guard));
    }
}
