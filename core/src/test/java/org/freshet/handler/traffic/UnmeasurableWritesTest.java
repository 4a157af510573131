package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class UnmeasurableWritesTest {
    @Test
    void shouldReleaseAWriteWhoseSizeAUsersHandlerCannotEstimate() {
        ChannelTrafficShapingHandler shaper = new ChannelTrafficShapingHandler(new FakeTimer(), 1000, 0) {
            @Override
            protected long calculateSize(Object message) {
                throw new IllegalStateException("unmeasurable");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(shaper);
        ChannelFuture sent = channel.write("message");
        assertTrue(sent.getCause() instanceof IllegalStateException, "cause: " + sent.getCause());
        assertEquals(0, WriteAccount.waitingBytes(channel));
        channel.close();
    }
}
