package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.freshet.testing.CommonPoolUses;
import org.junit.jupiter.api.Test;

class NioCommonPoolTest {
    @Test
    void shouldRunNothingOnThreadsAnApplicationCanBlock() throws Exception {
        assertEquals(Set.of(), CommonPoolUses.ofModule());
    }
}
