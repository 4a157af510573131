package org.freshet.handler.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.freshet.testing.CommonPoolUses;
import org.junit.jupiter.api.Test;

class CodecCommonPoolTest {
    @Test
    void shouldRunNothingOnThreadsThatAnApplicationCanBlock() throws Exception {
        assertEquals(Set.of(), CommonPoolUses.ofModule());
    }
}
