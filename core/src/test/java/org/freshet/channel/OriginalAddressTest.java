package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.freshet.handler.ipfilter.IpFilterRuleHandler;
import org.freshet.handler.ipfilter.IpFilterRuleList;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.telemetry.Explain;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginalAddressTest {
    private static final InetSocketAddress PROXY = new InetSocketAddress("10.0.0.1", 5000);
    private static final InetSocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 4711);
    private static final InetSocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);

    @Test
    void shouldBeTheRemoteAddressUnlessAProxyNamesAnother() {
        MemoryChannel channel = MemoryChannel.connected(PROXY);
        assertFalse(OriginalAddress.isKnown(channel));
        assertEquals(PROXY, OriginalAddress.of(channel));
        assertEquals(channel.getLocalAddress(), OriginalAddress.destinationOf(channel));
        assertNull(OriginalAddress.of(MemoryChannel.open()));
        assertTrue(OriginalAddress.set(channel, CLIENT, SERVICE));
        assertTrue(OriginalAddress.isKnown(channel));
        assertEquals(CLIENT, OriginalAddress.of(channel));
        assertEquals(SERVICE, OriginalAddress.destinationOf(channel));
        assertEquals(PROXY, channel.getRemoteAddress());
        OriginalAddress.set(channel, CLIENT, null);
        assertEquals(channel.getLocalAddress(), OriginalAddress.destinationOf(channel));
    }

    @Test
    void shouldAppearInExplain() throws Exception {
        MemoryChannel channel = MemoryChannel.connected(PROXY);
        OriginalAddress.set(channel, CLIENT, SERVICE);
        String text = Explain.channel(channel).get();
        assertTrue(text.contains("original address: /203.0.113.7:4711 => /198.51.100.1:443\n"), text);
    }

    @Test
    void shouldBeUsedByIpFilters() throws Exception {
        IpFilterRuleHandler filter = new IpFilterRuleHandler(new IpFilterRuleList("-i:203.0.113.7"));
        for (SocketAddress client : new SocketAddress[] {PROXY, CLIENT}) {
            MemoryChannel channel = MemoryChannel.connected(
                    PROXY,
                    (ChannelUpstreamHandler) (ctx, e) -> {
                        OriginalAddress.set(ctx.getChannel(), client, null);
                        ctx.sendUpstream(e);
                    },
                    filter);
            assertEquals(client == PROXY, channel.isOpen());
        }
    }

    private static MemoryChannel accepted(AcceptLimits limits) {
        MemoryChannel channel = MemoryChannel.connected(PROXY);
        AcceptPermit permit = limits.newPermit();
        assertEquals(0, permit.reserve());
        assertNull(permit.admit(PROXY.getAddress()));
        channel.getCloseFuture().addListener(closed -> {}); // other listeners are registered
        permit.handOver(channel.getCloseFuture());
        channel.getCloseFuture().addListener(closed -> {});
        return channel;
    }

    /** A guard without shared limits and one with them. */
    private static List<AcceptLimits> servers() {
        AcceptLimits sharing = new AcceptLimits();
        sharing.share(new AcceptLimits());
        return List.of(new AcceptLimits(), sharing);
    }

    private static void assertOpen(AcceptLimits limits, InetSocketAddress address, int count) {
        InetAddress ip = address.getAddress();
        assertEquals(count, limits.openConnections(ip), address::toString);
    }

    @Test
    void shouldBeUsedByLimitsPerAddress() {
        AcceptLimits guard = new AcceptLimits(new AcceptLimits.Rules((peer, common) -> common, null, false, false));
        AcceptLimits server = new AcceptLimits();
        server.share(guard);
        guard.setMaxPerAddress(2);
        for (int i = 0; i < 5; i++) { // the proxy's: at most one at a time whose client isn't known
            MemoryChannel channel = accepted(server);
            assertOpen(server, PROXY, 1);
            boolean hasRoom = i < 2;
            assertEquals(hasRoom, OriginalAddress.set(channel, CLIENT, null), "connection " + i);
            assertOpen(server, PROXY, 0);
            assertOpen(guard, PROXY, hasRoom ? 0 : 1);
            assertOpen(guard, CLIENT, Math.min(i + 1, 2));
            if (!hasRoom) {
                channel.close();
                assertOpen(guard, PROXY, 0);
            } else {
                assertTrue(OriginalAddress.set(channel, CLIENT, null), "it is already counted");
                assertOpen(guard, CLIENT, i + 1);
            }
        }
        assertEquals(3, guard.counts().refused());
        assertEquals(3, server.counts().refused());
        assertEquals(2, server.openConnections());
    }

    @Test
    void shouldNotCountAClientWithoutAnIpAddress() {
        AcceptLimits server = new AcceptLimits();
        MemoryChannel channel = accepted(server);
        assertTrue(OriginalAddress.set(channel, new SocketAddress() {}, null));
        assertOpen(server, PROXY, 0);
        channel.close();
        assertEquals(0, server.openConnections());
        assertOpen(server, PROXY, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingCountedIfTheConnectionEndsInTheMeantime(boolean isShared) throws Exception {
        AcceptLimits server = servers().get(isShared ? 1 : 0);
        ExecutorService closer = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 5_000; round++) {
                MemoryChannel channel = accepted(server);
                CyclicBarrier start = new CyclicBarrier(2);
                Future<?> closed = closer.submit(() -> {
                    start.await();
                    return channel.close();
                });
                start.await();
                assertTrue(OriginalAddress.set(channel, CLIENT, null));
                closed.get();
                assertOpen(server, PROXY, 0);
                assertOpen(server, CLIENT, 0);
            }
        } finally {
            closer.shutdownNow();
        }
        assertEquals(0, server.openConnections());
    }

    /** Without shared limits, where each connection has an object. */
    @Test
    void shouldBeUsedByTheServersOption() {
        AcceptLimits server = new AcceptLimits();
        server.setMaxPerAddress(1);
        MemoryChannel first = accepted(server);
        assertTrue(OriginalAddress.set(first, CLIENT, null));
        assertTrue(OriginalAddress.set(first, CLIENT, SERVICE), "it is already counted");
        MemoryChannel second = accepted(server);
        assertFalse(OriginalAddress.set(second, CLIENT, null));
        second.close();
        assertOpen(server, PROXY, 0);
        assertOpen(server, CLIENT, 1);
        assertTrue(OriginalAddress.set(first, SERVICE, null));
        assertOpen(server, CLIENT, 0);
        first.close();
        assertOpen(server, SERVICE, 0);
        assertEquals(0, server.openConnections());
        assertEquals(1, server.counts().refused());
    }

    @Test
    void shouldCountNothingForAConnectionThatHasEnded() {
        for (AcceptLimits server : servers()) {
            MemoryChannel channel = accepted(server);
            channel.close();
            assertTrue(OriginalAddress.set(channel, CLIENT, null));
            assertOpen(server, CLIENT, 0);
            assertEquals(0, server.openConnections());
        }
    }
}
