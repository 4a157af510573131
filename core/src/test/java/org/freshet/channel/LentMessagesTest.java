package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** What a handler writes of a read that the transport has lent it. */
class LentMessagesTest {
    @ChannelHandler.Borrower
    private static final class BorrowingEcho extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer borrowed = (ChannelBuffer) Channels.borrow(e);
            e.getChannel().write(borrowed);
            Channels.write(ctx, Channels.future(e.getChannel()), borrowed.slice(1, 2));
        }
    }

    private final LendingMemory memory = new LendingMemory(16);

    /** This transport keeps what is written for longer than the loan. */
    @Test
    void shouldCopyALentMessageThatIsWrittenToATransportThatKeepsIt() {
        MemoryChannel channel = MemoryChannel.connected(new BorrowingEcho()).holdWrites();
        assertTrue(memory.lend(channel, ChannelBuffers.copiedBuffer("ping", StandardCharsets.US_ASCII)));
        List<String> written = channel.takeWritten().stream()
                .map(each -> ((ChannelBuffer) each).toString(StandardCharsets.US_ASCII))
                .toList();
        assertEquals(List.of("ping", "in"), written);
        channel.completeWrites();
    }
}
