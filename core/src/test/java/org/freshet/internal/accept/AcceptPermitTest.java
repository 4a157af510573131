package org.freshet.internal.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.net.InetAddress;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class AcceptPermitTest {
    private static final InetAddress PEER = InetAddress.getLoopbackAddress();

    private final AcceptLimits limits = new AcceptLimits();

    private AcceptPermit taken() {
        AcceptPermit permit = limits.newPermit();
        assertEquals(0, permit.reserve());
        assertNull(permit.admit(PEER));
        return permit;
    }

    private void assertOpen(int expected) {
        assertEquals(expected, limits.openConnections());
        assertEquals(expected, limits.openConnections(PEER));
    }

    @Test
    void shouldReleaseWhatItHasTakenOnce() {
        AcceptPermit permit = taken();
        assertOpen(1);
        permit.release();
        permit.release();
        assertOpen(0);
    }

    @Test
    void shouldReleaseRoomThatWasOnlyReserved() {
        AcceptPermit permit = limits.newPermit();
        permit.reserve();
        assertEquals(1, limits.openConnections());
        permit.release();
        assertOpen(0);
    }

    @Test
    void shouldReleaseTheRoomOfARefusedPeer() {
        limits.setMaxPerAddress(1);
        AcceptPermit first = taken();
        AcceptPermit second = limits.newPermit();
        second.reserve();
        assertEquals(AcceptCounts.Cause.ADDRESS, second.admit(PEER));
        assertOpen(1);
        first.release();
        assertOpen(0);
    }

    @Test
    void shouldReleaseTheRoomOfAConnectionWhenItCloses() {
        for (AcceptLimits guard : new AcceptLimits[] {null, new AcceptLimits()}) {
            limits.share(guard);
            ChannelFuture one = Channels.future(null);
            ChannelFuture other = Channels.future(null);
            AcceptPermit permit = taken();
            permit.handOver(one);
            taken().handOver(other);
            assertOpen(2);
            one.setSuccess();
            permit.release();
            assertOpen(1);
            other.setSuccess();
            assertOpen(0);
            assertEquals(0, guard == null ? 0 : guard.openConnections(PEER));
        }
    }

    @Test
    void shouldAllocateNothingToCountAnotherConnectionOfAnAddress() {
        taken();
        InetAddress peer = InetAddress.getLoopbackAddress();
        AcceptPermit permit = limits.newPermit();
        Allocations.assertBytes(0, () -> {
            permit.reserve();
            permit.admit(peer);
            permit.release();
            return permit;
        });
    }

    @Test
    void shouldServeForAnotherAttemptUnlessAConnectionKeepsIt() {
        AcceptPermit permit = limits.newPermit();
        assertTrue(permit.isReusable());
        permit.reserve();
        assertFalse(permit.isReusable());
        permit.release();
        assertTrue(permit.isReusable());
        permit.admit(PEER);
        assertFalse(permit.isReusable());
        permit.handOver(Channels.future(null));
        assertTrue(permit.isReusable());
        limits.share(new AcceptLimits());
        AcceptPermit shared = taken();
        shared.handOver(Channels.future(null));
        assertFalse(shared.isReusable(), "the future calls it");
    }

    @Test
    void shouldRetainNoObjectPerConnectionUnlessLimitsAreShared() {
        ChannelFuture close = Channels.future(null);
        WeakReference<AcceptPermit> permit = handedOver(close);
        Await.until(
                () -> {
                    System.gc();
                    return permit.refersTo(null);
                },
                "the collection of the permit");
        assertOpen(1);
        close.setSuccess();
        assertOpen(0);
    }

    private WeakReference<AcceptPermit> handedOver(ChannelFuture close) {
        AcceptPermit permit = taken();
        permit.handOver(close);
        return new WeakReference<>(permit);
    }
}
