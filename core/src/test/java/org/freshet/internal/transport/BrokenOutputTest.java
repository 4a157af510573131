package org.freshet.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.Test;

class BrokenOutputTest {
    private final BrokenOutput output = new BrokenOutput();

    @Test
    void shouldEndAtTheFirstCheckWithNothingRead() {
        output.onRead();
        output.onRead();
        assertFalse(output.isOver());
        assertTrue(output.isOver());
    }

    @Test
    void shouldEndIfThePeerKeepsSending() {
        int looks = 0;
        do {
            output.onRead();
            looks++;
        } while (!output.isOver());
        assertEquals(BrokenOutput.MOST_LOOKS, looks);
    }

    @Test
    void shouldReadTheRemainingInputOfALostConnectionOnly() {
        assertTrue(BrokenOutput.leavesInput(CloseReason.ofFailure(Kind.WRITE_FAILED, new IOException("Broken pipe"))));
        assertFalse(BrokenOutput.leavesInput(CloseReason.ofFailure(Kind.WRITE_FAILED, new IOException("no file"))));
        assertFalse(BrokenOutput.leavesInput(CloseReason.ofFailure(Kind.WRITE_FAILED, new OutOfMemoryError())));
    }
}
