package org.freshet.internal.lending;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteOrder;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.junit.jupiter.api.Test;

class LoanOfCompositeTest {
    /** A composite that cannot be sliced. */
    private static final class Whole extends DuplicatedChannelBuffer {
        Whole() {
            super(ChannelBuffers.wrappedBuffer(new byte[8]));
        }

        @Override
        public ChannelBuffer slice(int index, int length) {
            throw new AssertionError("sliced");
        }
    }

    @Test
    void shouldFindALoanWithoutDecomposingAComposite() {
        ChannelBuffer composite =
                new CompositeChannelBuffer(ByteOrder.BIG_ENDIAN, List.of(new Whole(), new Whole()), true);
        assertNull(Lending.loanOf(composite));
    }
}
