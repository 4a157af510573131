package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Channels that could not be closed when they failed. */
class BrokenChannelsTest {
    private static final int MORE_THAN_FIT = 1_000;

    private final BrokenChannels broken = new BrokenChannels();
    private final List<String> closed = new ArrayList<>();
    private final Runnable nothing = () -> {};

    private class Breaking implements LoopChannel {
        private final String name;

        /** Thrown by the next close; null if it succeeds. */
        private Throwable next;

        Breaking(String name) {
            this.name = name;
        }

        Breaking failingOnce(Throwable thrown) {
            next = thrown;
            return this;
        }

        @Override
        public void onFailed(Throwable cause) {
            throw new AssertionError("has failed already", cause);
        }

        @Override
        public void onLoopStopping() {
            Throwable thrown = next;
            next = null;
            if (thrown instanceof Error error) {
                throw error;
            } else if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            closed.add(name);
        }

        @Override
        public void onKeyChanged(SelectionKey key) {}
    }

    @Test
    void shouldCloseEachChannelOnce() {
        Breaking a = new Breaking("a");
        broken.add(a);
        broken.add(new Breaking("b"));
        broken.add(a);
        assertFalse(broken.isEmpty());
        broken.close(() -> closed.add("all"));
        assertEquals(List.of("b", "a"), closed);
        assertTrue(broken.isEmpty());
        broken.close(() -> closed.add("all"));
        assertEquals(2, closed.size());
    }

    @Test
    void shouldTryAChannelAgainThatHadNoMemoryToClose() {
        broken.add(new Breaking("a"));
        broken.add(new Breaking("b").failingOnce(new OutOfMemoryError("thrown on purpose")));
        assertThrows(OutOfMemoryError.class, () -> broken.close(nothing));
        assertFalse(broken.isEmpty());
        broken.close(nothing);
        assertEquals(List.of("b", "a"), closed);
        assertTrue(broken.isEmpty());
    }

    @Test
    void shouldForgetAChannelWhoseCloseFailsForAnotherReason() {
        broken.add(new Breaking("a").failingOnce(new IllegalStateException("thrown on purpose")));
        assertThrows(IllegalStateException.class, () -> broken.close(nothing));
        assertTrue(broken.isEmpty());
    }

    @Test
    void shouldCloseEveryChannelOfTheLoopIfMoreBreakThanFit() {
        for (int i = 0; i < MORE_THAN_FIT; i++) {
            broken.add(new Breaking("one"));
        }
        broken.close(() -> closed.add("all"));
        assertEquals("all", closed.get(closed.size() - 1));
        assertTrue(closed.size() < MORE_THAN_FIT);
        assertTrue(broken.isEmpty());
    }

    @Test
    void shouldTryAgainIfNotEveryChannelCouldBeClosed() {
        for (int i = 0; i < MORE_THAN_FIT; i++) {
            broken.add(new Breaking("one"));
        }
        assertThrows(
                OutOfMemoryError.class,
                () -> broken.close(() -> {
                    throw new OutOfMemoryError("thrown on purpose");
                }));
        assertFalse(broken.isEmpty());
        closed.clear();
        broken.close(() -> closed.add("all"));
        assertEquals(List.of("all"), closed);
        assertTrue(broken.isEmpty());
    }

    @Test
    void shouldCloseWhatAnotherCloseAdds() {
        Breaking second = new Breaking("second");
        broken.add(new Breaking("first") {
            @Override
            public void onLoopStopping() {
                super.onLoopStopping();
                broken.add(second);
            }
        });
        broken.close(nothing);
        assertEquals(List.of("first", "second"), closed);
        assertTrue(broken.isEmpty());
    }
}
