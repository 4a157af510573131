package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.freshet.testing.PackageCycles;
import org.junit.jupiter.api.Test;

/** The parts of a loop, a sender and a receiver know no channel: their packages import nothing from the one above. */
class NioPackageCyclesTest {
    @Test
    void shouldHaveNoCyclesBetweenPackages() throws IOException {
        PackageCycles cycles = PackageCycles.ofModule();
        assertTrue(cycles.packages().size() > 3, () -> "run in the module's directory: " + cycles.packages());
        assertEquals(Map.of(), cycles.find(), "packages in a cycle, each with the imports that lead back to it");
    }
}
