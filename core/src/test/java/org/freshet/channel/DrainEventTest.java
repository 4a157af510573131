package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What handlers declare on a drain's event, and when the drain is notified. */
class DrainEventTest {
    private static final class Orders extends SimpleChannelUpstreamHandler {}

    private final FakeChannel channel = new FakeChannel(1, null, new Orders());
    private final ChannelHandlerContext ctx = channel.getPipeline().getContext(Orders.class);
    private final AtomicInteger changes = new AtomicInteger();
    private final DrainEvent event = new DrainEvent(channel, changes::incrementAndGet);

    @Test
    void shouldInitiallyBeNeitherHeldNorClaimedNorComplete() {
        assertFalse(event.isHeld() || event.wasHeld() || event.isClaimed() || event.isComplete());
        assertEquals(List.of(), event.getHolds());
        assertEquals("[id: 0x00000001] DRAIN", event.toString());
        assertThrows(NullPointerException.class, () -> new DrainEvent(channel, null));
    }

    @Test
    void shouldBeHeldUntilTheLastHoldIsReleased() {
        DrainEvent.Hold first = event.hold(ctx, "order 1");
        DrainEvent.Hold second = event.hold(ctx, "order 2");
        assertTrue(event.isHeld());
        first.release();
        assertTrue(event.isHeld());
        assertEquals(0, changes.get());
        second.release();
        assertFalse(event.isHeld());
        assertTrue(event.wasHeld());
        assertEquals(1, changes.get());
    }

    @Test
    void shouldReleaseAHoldOnce() {
        DrainEvent.Hold hold = event.hold(ctx, "order 1");
        hold.release();
        hold.release();
        assertEquals(1, changes.get());
    }

    @Test
    void shouldKeepWhatWasAbandoned() {
        DrainEvent.Hold hold = event.hold(ctx, "order 1");
        hold.abandon();
        hold.abandon();
        assertFalse(event.isHeld());
        assertEquals(List.of("0 (Orders): order 1"), event.getAbandoned());
        assertEquals(1, changes.get());
    }

    @Test
    void shouldNotAbandonWhatIsDone() {
        DrainEvent.Hold hold = event.hold(ctx, "order 1");
        hold.release();
        hold.abandon();
        assertEquals(List.of(), event.getAbandoned());
    }

    @Test
    void shouldSayWhichHandlerHoldsTheChannelAndWhy() {
        DrainEvent.Hold hold = event.hold(ctx, "order 1");
        assertEquals("0 (Orders): order 1", hold.toString());
        assertEquals(List.of("0 (Orders): order 1"), event.getHolds());
        assertThrows(NullPointerException.class, () -> event.hold(ctx, null));
    }

    @Test
    void shouldNotifyTheDrainWhenAHandlerClaimsTheChannel() {
        event.claim();
        assertTrue(event.isClaimed());
        assertEquals(1, changes.get());
    }

    @Test
    void shouldRememberThatEveryAnswerWasSent() {
        event.complete();
        assertTrue(event.isComplete());
        assertEquals(0, changes.get(), "it changes only how the end is reported");
    }
}
