package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Events that a handler moves to another thread. */
class QuietProbeTest {
    private final SimpleChannelUpstreamHandler handler = new SimpleChannelUpstreamHandler();
    private final MemoryChannel channel = MemoryChannel.connected(handler);
    private final ChannelHandlerContext ctx = channel.context(handler);
    private final DrainEvent drain = new DrainEvent(channel, () -> {});
    private final Queue<Runnable> thread = new ArrayDeque<>();

    @Test
    void shouldKeepTheDrainWaitingUntilTheThreadHasHandledItsEvent() {
        QuietProbe.move(ctx, drain, thread::add, () -> assertTrue(drain.isHeld(), "no longer held"));
        assertTrue(drain.isHeld());
        thread.remove().run();
        assertFalse(drain.isHeld());
    }

    @Test
    void shouldNotKeepTheDrainWaitingForAnEventThatIsRefusedOrFails() {
        RejectedExecutionException full = new RejectedExecutionException("thrown on purpose");
        assertThrows(
                RejectedExecutionException.class,
                () -> QuietProbe.move(
                        ctx,
                        new QuietProbe(drain),
                        task -> {
                            throw full;
                        },
                        () -> {}));
        assertFalse(drain.isHeld());
        assertThrows(
                RejectedExecutionException.class,
                () -> QuietProbe.move(ctx, drain, Runnable::run, () -> {
                    throw full;
                }));
        assertEquals(0, drain.getHolds().size());
    }
}
