package org.freshet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.freshet.testing.PackageCycles;
import org.junit.jupiter.api.Test;

/** The packages of this module form layers: no package imports one that imports it back, directly or through others. */
class PackageCyclesTest {
    @Test
    void shouldImportNoPackageThatImportsItBack() throws IOException {
        PackageCycles cycles = PackageCycles.ofModule();
        assertTrue(cycles.packages().size() > 15, () -> "run in the module's directory: " + cycles.packages());
        assertEquals(Map.of(), cycles.find(), "packages in a cycle, each with the imports that lead back to it");
    }
}
