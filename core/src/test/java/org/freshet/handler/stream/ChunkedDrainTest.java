package org.freshet.handler.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.drain.ChannelDrain.Outcome;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a drain reports of transfers: they hold the channel, and are lost if the handler is removed or the channel closed first. */
class ChunkedDrainTest {
    private static final String TRANSFER = "0 (ChunkedWriteHandler): a transfer";

    private final ChunkedWriteHandler handler = new ChunkedWriteHandler();
    private final MemoryChannel channel = MemoryChannel.connected(handler);
    private final PausedInput input = new PausedInput();

    @AfterEach
    void close() {
        channel.close();
    }

    private ChannelDrain drainAmidATransfer() {
        channel.write(input);
        ChannelDrain drain = ChannelDrain.start(channel, 0, Runnable::run);
        assertFalse(drain.ended().isDone());
        return drain;
    }

    private static void assertOutcome(Outcome outcome, List<String> holds, ChannelDrain drain) {
        assertTrue(drain.ended().isDone());
        assertEquals(outcome, drain.ended().join().outcome());
        assertEquals(holds, drain.ended().join().holds());
    }

    @Test
    void shouldReportATransferAsLostIfTheHandlerIsRemoved() {
        ChannelDrain drain = drainAmidATransfer();
        channel.getPipeline().remove(handler);
        assertOutcome(Outcome.LOST, List.of(TRANSFER), drain);
    }

    @Test
    void shouldReportATransferAsLostIfTheChannelIsClosed() {
        ChannelDrain drain = drainAmidATransfer();
        channel.close();
        assertOutcome(Outcome.LOST, List.of("output that was not sent"), drain);
    }

    @Test
    void shouldReportNothingLostIfTheTransferHasEnded() {
        ChannelDrain drain = drainAmidATransfer();
        input.isEnded = true;
        handler.resumeTransfer();
        channel.getPipeline().remove(handler);
        assertOutcome(Outcome.FINISHED, List.of(), drain);
    }

    /** The drain hears of the loss, and still waits for what the handler sends from its new place. */
    @Test
    void shouldHoldTheDrainForTransfersAfterItIsAddedAgain() {
        channel.write(input);
        ChannelDrain drain = ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
        channel.getPipeline().remove(handler);
        channel.getPipeline().addLast("again", handler);
        channel.write(new PausedInput());
        drain.cut();
        assertOutcome(Outcome.CUT, List.of(TRANSFER, TRANSFER), drain);
    }
}
