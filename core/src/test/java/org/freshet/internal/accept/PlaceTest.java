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

class PlaceTest {
    private static final InetAddress PEER = InetAddress.getLoopbackAddress();

    private final AcceptLimits limits = new AcceptLimits();

    private Place taken() {
        Place place = limits.newPlace();
        assertEquals(0, place.reserve());
        assertNull(place.admit(PEER));
        return place;
    }

    private void assertOpen(int expected) {
        assertEquals(expected, limits.openConnections());
        assertEquals(expected, limits.openConnections(PEER));
    }

    @Test
    void shouldGiveBackWhatItHasTakenOnce() {
        Place place = taken();
        assertOpen(1);
        place.release();
        place.release();
        assertOpen(0);
    }

    @Test
    void shouldGiveBackRoomThatWasReservedOnly() {
        Place place = limits.newPlace();
        place.reserve();
        assertEquals(1, limits.openConnections());
        place.release();
        assertOpen(0);
    }

    @Test
    void shouldGiveBackTheRoomOfAPeerThatIsRefused() {
        limits.setMaxPerAddress(1);
        Place first = taken();
        Place second = limits.newPlace();
        second.reserve();
        assertEquals(AcceptCounts.Cause.ADDRESS, second.admit(PEER));
        assertOpen(1);
        first.release();
        assertOpen(0);
    }

    @Test
    void shouldGiveBackWithEachCloseWhatItsConnectionHasTaken() {
        for (AcceptLimits guard : new AcceptLimits[] {null, new AcceptLimits()}) {
            limits.share(guard);
            ChannelFuture one = Channels.future(null);
            ChannelFuture other = Channels.future(null);
            Place place = taken();
            place.handOver(one);
            taken().handOver(other);
            assertOpen(2);
            one.setSuccess();
            place.release();
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
        Place place = limits.newPlace();
        Allocations.assertBytes(0, () -> {
            place.reserve();
            place.admit(peer);
            place.release();
            return place;
        });
    }

    @Test
    void shouldServeForAnotherAttemptUnlessAConnectionKeepsIt() {
        Place place = limits.newPlace();
        assertTrue(place.isReusable());
        place.reserve();
        assertFalse(place.isReusable());
        place.release();
        assertTrue(place.isReusable());
        place.admit(PEER);
        assertFalse(place.isReusable());
        place.handOver(Channels.future(null));
        assertTrue(place.isReusable());
        limits.share(new AcceptLimits());
        Place shared = taken();
        shared.handOver(Channels.future(null));
        assertFalse(shared.isReusable(), "the future calls it");
    }

    @Test
    void shouldKeepNoObjectForAConnectionUnlessLimitsAreShared() {
        ChannelFuture close = Channels.future(null);
        WeakReference<Place> place = handedOver(close);
        Await.until(
                () -> {
                    System.gc();
                    return place.refersTo(null);
                },
                "the collection of the place");
        assertOpen(1);
        close.setSuccess();
        assertOpen(0);
    }

    private WeakReference<Place> handedOver(ChannelFuture close) {
        Place place = taken();
        place.handOver(close);
        return new WeakReference<>(place);
    }
}
