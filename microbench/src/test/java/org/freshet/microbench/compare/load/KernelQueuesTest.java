package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class KernelQueuesTest {
    private static final int PORT = 0x1F90;

    private static final List<String> TABLE = List.of(
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
            "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0",
            "   1: 0100007F:1F90 0100007F:C001 01 00000000:0000271A 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1",
            "   2: 0100007F:C001 0100007F:1F90 01 00000010:00000000 01:00000014 00000000     0        0 3 1 0 20 4 30 10 -1",
            "   3: 0100007F:C002 0100007F:1F91 01 00000010:00000010 01:00000014 00000000     0        0 4 1 0 20 4 30 10 -1");

    @Test
    void shouldAddUpTheQueuesAtEachEndOfTheServersConnections() {
        assertEquals(new KernelQueues.Sample(0x10, 0x271A, 3), KernelQueues.parse(TABLE, PORT));
        assertEquals(new KernelQueues.Sample(0, 0, 0), KernelQueues.parse(TABLE, 1));
    }
}
