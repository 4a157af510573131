package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.AcceptGuard.WhenFull;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.testing.Await;
import org.freshet.testing.FakeClock;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

class AcceptGuardTest {
    private final FakeClock clock = new FakeClock();

    private static InetAddress address(String text) throws Exception {
        return InetAddress.getByName(text);
    }

    /** Returns null if the connection is refused or has to wait. */
    private static AcceptPermit accepted(AcceptGuard guard, InetAddress peer) {
        AcceptPermit permit = guard.limits().newPermit();
        return permit.reserve() == 0 && permit.admit(peer) == null ? permit : null;
    }

    private static boolean accept(AcceptGuard guard, InetAddress peer) {
        return accepted(guard, peer) != null;
    }

    private static long waitNanos(AcceptGuard guard) {
        return guard.limits().newPermit().reserve();
    }

    @Test
    void shouldCountIpv6AddressesByNetwork() throws Exception {
        AcceptGuard guard = AcceptGuard.builder().perAddress(1).build();
        AcceptPermit first = accepted(guard, address("2001:db8:1:2::1"));
        assertFalse(accept(guard, address("2001:db8:1:2:ffff::7")));
        assertTrue(accept(guard, address("2001:db8:1:3::1")));
        assertEquals(1, guard.getOpenConnections(address("2001:db8:1:2::9")));
        assertEquals(2, guard.getOpenConnections());
        first.release();
        assertTrue(accept(guard, address("2001:db8:1:2::2")));
    }

    @Test
    void shouldApplyAnotherLimitToSomeNetworks() throws Exception {
        AcceptGuard guard = AcceptGuard.builder()
                .perAddress(1)
                .perAddress("10.1.0.0/16", 2)
                .perAddress("10.0.0.0/8", 3)
                .exempt("10.9.0.0/16")
                .build();
        assertEquals(1, mostFrom(guard, "192.0.2.1"));
        assertEquals(2, mostFrom(guard, "10.1.0.1"));
        assertEquals(2, mostFrom(guard, "10.1.0.2"));
        assertEquals(3, mostFrom(guard, "10.2.0.1"));
        assertEquals(5, mostFrom(guard, "10.9.0.1"));
        guard.setMaxPerAddress(4);
        assertEquals(3, mostFrom(guard, "192.0.2.1"), "one was already open");
        assertEquals(0, mostFrom(guard, "10.2.0.1"), "all were already open");
    }

    /** Returns how many of five more connections are accepted. */
    private static int mostFrom(AcceptGuard guard, String address) throws Exception {
        int accepted = 0;
        for (int i = 0; i < 5; i++) {
            accepted += accept(guard, address(address)) ? 1 : 0;
        }
        return accepted;
    }

    @Test
    void shouldAcceptTheBurstImmediatelyAndTheRestAtTheRate() {
        AcceptGuard guard =
                AcceptGuard.builder().perSecond(10, 3).nanoClock(clock::nanos).build();
        for (int i = 0; i < 3; i++) {
            assertTrue(accept(guard, null));
        }
        assertEquals(100_000_000, waitNanos(guard));
        assertEquals(3, guard.getOpenConnections());
        clock.advanceMillis(99);
        assertEquals(1_000_000, waitNanos(guard));
        clock.advanceMillis(1);
        assertTrue(accept(guard, null));
        assertEquals(100_000_000, waitNanos(guard));
        clock.advanceMillis(10_000);
        for (int i = 0; i < 3; i++) {
            assertTrue(accept(guard, null));
        }
        assertEquals(100_000_000, waitNanos(guard));
    }

    @Test
    void shouldRefuseBeyondTheRateIfConfigured() {
        AcceptGuard guard = AcceptGuard.builder()
                .perSecond(10, 1)
                .whenFull(WhenFull.REFUSE)
                .nanoClock(clock::nanos)
                .build();
        assertTrue(accept(guard, null));
        assertFalse(accept(guard, null));
        assertEquals(1, guard.getRefusedByCause().get("rate"));
        assertEquals(1, guard.getOpenConnections());
    }

    @Test
    void shouldReleaseUnusedReservations() {
        AcceptGuard guard = AcceptGuard.builder()
                .maxConnections(1)
                .perSecond(10, 1)
                .nanoClock(clock::nanos)
                .build();
        for (int i = 0; i < 5; i++) {
            AcceptPermit permit = guard.limits().newPermit();
            assertEquals(0, permit.reserve());
            assertEquals(AcceptLimits.UNTIL_ROOM, waitNanos(guard));
            permit.release();
        }
        assertEquals(0, guard.getOpenConnections());
    }

    @Test
    void shouldNotifyEachWaitingServerOfRoomOnce() {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        AcceptPermit first = accepted(guard, null);
        AtomicInteger told = new AtomicInteger();
        Runnable wakeUp = told::incrementAndGet;
        for (int i = 0; i < 3; i++) { // a server that asks repeatedly waits only once
            guard.limits().whenRoom(wakeUp);
        }
        assertEquals(1, guard.limits().waitingServers());
        assertEquals(0, told.get());
        first.release();
        assertEquals(1, told.get());
        AcceptPermit second = accepted(guard, null);
        second.release();
        assertEquals(1, told.get());
        guard.limits().whenRoom(wakeUp);
        assertEquals(2, told.get());
    }

    @Test
    void shouldForgetAServerThatStopsWaiting() {
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        AcceptLimits server = new AcceptLimits();
        server.share(guard.limits());
        AcceptPermit open = accepted(guard, null);
        Runnable wakeUp = () -> {
            throw new AssertionError("the server is closed");
        };
        server.whenRoom(wakeUp);
        assertEquals(1, guard.limits().waitingServers());
        server.stopWaiting(wakeUp);
        assertEquals(0, guard.limits().waitingServers());
        open.release();
    }

    @Test
    void shouldFreeAPlaceOnceHoweverOftenItIsReleased() throws Exception {
        AcceptGuard guard =
                AcceptGuard.builder().maxConnections(3).perAddress(3).build();
        InetAddress peer = address("192.0.2.1");
        AcceptPermit stays = accepted(guard, peer);
        AcceptPermit ends = accepted(guard, peer);
        ends.release();
        ends.release();
        assertEquals(1, guard.getOpenConnections());
        assertEquals(1, guard.getOpenConnections(peer));
        stays.release();
        assertEquals(0, guard.getOpenConnections(peer));
    }

    @Test
    void shouldFreeRoomWhenTheClockThrows() {
        AtomicInteger calls = new AtomicInteger();
        AcceptGuard guard = AcceptGuard.builder()
                .maxConnections(1)
                .perSecond(1_000_000, 1_000_000)
                .nanoClock(() -> {
                    if (calls.getAndIncrement() == 1) {
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    return clock.nanos();
                })
                .build();
        AcceptLimits server = new AcceptLimits();
        server.share(guard.limits());
        assertThrows(OutOfMemoryError.class, () -> server.newPermit().reserve());
        assertEquals(0, guard.getOpenConnections());
        assertEquals(0, server.openConnections());
        assertEquals(0, server.newPermit().reserve());
    }

    @Test
    void shouldNameWhatIsOutOfRange() {
        assertEquals("perAddress < 1: 0", refusal(() -> AcceptGuard.builder().perAddress(0)));
        assertEquals(
                "maxConnections < 1: -1", refusal(() -> AcceptGuard.builder().maxConnections(-1)));
        assertEquals(
                "perSecond > 1000000: 1000001",
                refusal(() -> AcceptGuard.builder().perSecond(1_000_001, 1)));
        assertEquals(
                "not a network: 10.0.0", refusal(() -> AcceptGuard.builder().perAddress("10.0.0", 1)));
        assertEquals("burst < 1: 0", refusal(() -> AcceptGuard.builder().perSecond(1, 0)));
        assertEquals(
                "not a network: 10.0.0", refusal(() -> AcceptGuard.builder().exempt("10.0.0")));
        AcceptGuard guard = AcceptGuard.builder().build();
        assertEquals("maxConnections < 1: 0", refusal(() -> guard.setMaxConnections(0)));
    }

    private static String refusal(Runnable call) {
        return assertThrows(IllegalArgumentException.class, call::run).getMessage();
    }

    @Test
    void shouldLimitTheConnectionsOfALocalServer() {
        LocalAddress name = new LocalAddress("accept-guard-test");
        AcceptGuard guard = AcceptGuard.builder().maxConnections(1).build();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.server().setAcceptGuard(guard);
            rig.listen(name, Recorder::new);
            Channel first = rig.connect(name);
            assertInstanceOf(ConnectException.class, Await.failure(rig.connecting(name), "the second connection"));
            assertEquals(1, guard.getRefusedByCause().get("full"));
            assertEquals(1, guard.getOpenConnections());
            Await.success(first.close(), "the close");
            Await.until(() -> guard.getOpenConnections() == 0, "the end of the first connection");
            rig.connect(name);
        }
        assertEquals(0, guard.getOpenConnections());
    }

    @Test
    void shouldCountConnectionsALocalServerRefusesBeyondTheRate() {
        LocalAddress name = new LocalAddress("accept-rate-test");
        AcceptGuard guard =
                AcceptGuard.builder().perSecond(1, 1).nanoClock(clock::nanos).build();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.server().setAcceptGuard(guard);
            rig.listen(name, Recorder::new);
            rig.connect(name);
            Await.failure(rig.connecting(name), "the second connection");
            assertEquals(1, guard.getRefusedByCause().get("rate"));
            assertEquals(1, guard.getRefused());
            clock.advanceMillis(1000);
            rig.connect(name);
        }
        assertEquals(0, guard.getOpenConnections());
    }

    // ---- the options of one server ----------------------------------------------------------------------------------

    @Test
    void shouldLimitALocalServerByItsOptionEvenWhileItRuns() {
        LocalAddress name = new LocalAddress("max-connections-test");
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            Channel server = rig.listen(name, Recorder::new);
            Channel first = rig.connect(name);
            Channel second = rig.connect(name);
            rig.server().setOption("maxConnections", "2");
            assertEquals(2, server.getConfig().getOptions().get("maxConnections"));
            assertInstanceOf(ConnectException.class, Await.failure(rig.connecting(name), "the third connection"));
            assertEquals(1, rig.server().refusedByCause().get("full"));
            Await.success(first.close(), "the close");
            rig.connect(name);
            rig.server().setOption("maxConnections", null);
            assertEquals(0, server.getConfig().getOptions().get("maxConnections"));
            rig.connect(name);
            assertTrue(second.isOpen());
        }
    }

    @Test
    void shouldRequireRoomInBothTheServerAndTheGuard() {
        LocalAddress name = new LocalAddress("max-connections-and-guard-test");
        AcceptGuard guard = AcceptGuard.builder().maxConnections(2).build();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.server().setAcceptGuard(guard);
            rig.server().setOption(ChannelOption.MAX_CONNECTIONS, 1);
            rig.listen(name, Recorder::new);
            Channel first = rig.connect(name);
            Await.failure(rig.connecting(name), "beyond the server's limit");
            assertEquals(0, guard.getRefused());
            assertEquals(1, guard.getOpenConnections());
            rig.server().setOption(ChannelOption.MAX_CONNECTIONS, 3);
            rig.connect(name);
            Await.failure(rig.connecting(name), "beyond the guard's limit");
            assertEquals(1, guard.getRefused());
            assertEquals(2, rig.server().refusedByCause().get("full"));
            Await.success(first.close(), "the close");
            rig.connect(name);
        }
        assertEquals(0, guard.getOpenConnections());
    }

    @Test
    void shouldApplyTheLatestLimitToAServerBoundDuringAChange() {
        LocalAddress name = new LocalAddress("max-connections-race-test");
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.server().setOption("maxConnections", 1);
            rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
                @Override
                public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    rig.server().setOption("maxConnections", 7);
                }
            });
            Channel server = rig.listen(name, Recorder::new);
            assertEquals(7, server.getConfig().getOptions().get("maxConnections"));
        }
    }
}
