package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.HoldsOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A channel fills up again, or closes, while the end of its congestion is being decided or announced. Another thread could do so at any
 * moment; here a handler does.
 */
class CongestionTurnsTest {
    private static final int MUCH = 2 * MarkedChannel.HIGH;

    /** Runs the test's code once, while the account asks what it holds: nothing. */
    private static final class Asked extends SimpleChannelDownstreamHandler implements HoldsOutput {
        private Runnable meanwhile = () -> {};

        @Override
        public long heldBytes(Object channel) {
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return 0;
        }
    }

    /** Runs the test's code once, after the next event. */
    private static final class Notified extends MarkedChannel {
        private Runnable afterEvent = () -> {};

        @Override
        protected void fireWritabilityChanged() {
            super.fireWritabilityChanged();
            Runnable once = afterEvent;
            afterEvent = () -> {};
            once.run();
        }
    }

    private final Notified channel = new Notified();
    private final Asked asked = new Asked();

    @AfterEach
    void close() {
        channel.close();
    }

    private boolean isCongested() {
        return CongestedChannels.now().contains(channel);
    }

    /** Leaves it unwritable, with nothing queued any more. */
    private void congestAndDrain() {
        channel.admitWrite(MUCH);
        channel.updateWritability();
        channel.releaseWrite(MUCH);
        assertFalse(channel.isWritable());
    }

    /** Also has a handler hold as much, which doesn't count for the marks, so handlers are asked. */
    private void congestAndDrainToHeld() {
        channel.getPipeline().addLast("asked", asked);
        congestAndDrain();
        WriteAccount.charge(channel, MUCH);
        assertEquals(List.of(false, true), channel.announced);
        channel.admitWrite(MUCH);
        channel.updateWritability();
        channel.releaseWrite(MUCH);
        channel.announced.clear();
    }

    @Test
    void shouldBeUnwritableAgainIfAHandlerFillsItDuringTheEvent() {
        congestAndDrain();
        channel.afterEvent = () -> channel.admitWrite(MUCH);
        channel.updateWritability();
        assertEquals(List.of(false, true, false), channel.announced);
        assertFalse(channel.isWritable());
        assertTrue(isCongested());
        channel.releaseWrite(MUCH);
        channel.updateWritability();
        assertTrue(channel.isWritable());
        assertFalse(isCongested());
    }

    @Test
    void shouldNotBeCongestedIfAHandlerFillsAndClosesItDuringTheEvent() {
        congestAndDrain();
        channel.afterEvent = () -> {
            channel.admitWrite(MUCH);
            channel.close();
        };
        channel.updateWritability();
        assertEquals(List.of(false, true), channel.announced);
        assertFalse(isCongested());
    }

    @Test
    void shouldAnnounceEachTurnOnceAndInOrderIfAHandlerDrainsItDuringTheEvent() {
        channel.afterEvent = () -> {
            channel.releaseWrite(MUCH);
            channel.updateWritability();
            assertTrue(channel.isWritable());
            channel.admitWrite(MUCH);
            channel.releaseWrite(MUCH);
        };
        channel.admitWrite(MUCH);
        channel.updateWritability();
        assertEquals(List.of(false, true), channel.announced);
        assertFalse(channel.isWritable(), "the second congestion has yet to be announced");
        channel.updateWritability();
        assertEquals(List.of(false, true, false, true), channel.announced);
    }

    @Test
    void shouldNoticeCongestionThatBeginsWhileItsEndIsDecided() {
        congestAndDrainToHeld();
        asked.meanwhile = () -> channel.admitWrite(MUCH);
        channel.updateWritability();
        assertFalse(channel.isWritable());
        assertTrue(isCongested());
        assertFalse(channel.announced.contains(true), "it never was");
        channel.releaseWrite(MUCH);
        channel.announced.clear();
        channel.updateWritability();
        assertTrue(channel.isWritable());
        assertEquals(List.of(true), channel.announced);
        assertFalse(isCongested());
    }

    @Test
    void shouldFireNoEventIfTheChannelClosesWhileTheEndIsDecided() {
        congestAndDrainToHeld();
        asked.meanwhile = channel::close;
        channel.updateWritability();
        assertEquals(List.of(), channel.announced);
        assertFalse(isCongested());
    }
}
