package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** What a ChannelLocal leaves at the close future of a channel: a channel may live for weeks. */
class ChannelLocalListenersTest {
    private static final class CountingFuture extends DefaultChannelFuture {
        private int listeners;

        CountingFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public void addListener(ChannelFutureListener listener) {
            listeners++;
            super.addListener(listener);
        }

        @Override
        public void removeListener(ChannelFutureListener listener) {
            listeners--;
            super.removeListener(listener);
        }
    }

    private static final class CountedChannel extends FakeChannel {
        private final CountingFuture counting = new CountingFuture(this);

        @Override
        public ChannelFuture getCloseFuture() {
            return counting;
        }
    }

    private final CountedChannel channel = new CountedChannel();

    private void assertListeners(int expected) {
        assertEquals(expected, channel.counting.listeners);
    }

    @Test
    void shouldWaitOnceForTheCloseHoweverOftenAValueIsSet() {
        ChannelLocal<String> local = new ChannelLocal<>(true);
        local.set(channel, "first");
        local.set(channel, "second");
        local.setIfAbsent(channel, "third");
        assertListeners(1);
        channel.counting.setSuccess();
        assertNull(local.get(channel));
    }

    @Test
    void shouldNotWaitForTheCloseWithoutAValue() {
        ChannelLocal<String> local = new ChannelLocal<>(true);
        assertNull(local.get(channel));
        assertListeners(0);
        for (int i = 0; i < 3; i++) {
            assertNull(local.setIfAbsent(channel, "value"));
            assertListeners(1);
            assertEquals("value", local.remove(channel));
            assertListeners(0);
        }
    }

    @Test
    void shouldNotWaitForTheCloseIfValuesStay() {
        ChannelLocal<String> local = new ChannelLocal<>();
        local.set(channel, "stays");
        assertListeners(0);
        channel.counting.setSuccess();
        assertEquals("stays", local.get(channel));
    }
}
