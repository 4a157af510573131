package org.freshet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.freshet.testing.PackageCycles;
import org.junit.jupiter.api.Test;

/** The packages of this module form layers: none imports one that imports it back, not even by way of others. */
class PackageCyclesTest {
    @Test
    void shouldImportNoPackageThatImportsItBack() throws IOException {
        PackageCycles cycles = PackageCycles.ofModule();
        assertTrue(cycles.packages().size() > 15, () -> "run in the module's directory: " + cycles.packages());
        assertEquals(Map.of(), cycles.find(), "packages, and what they import although that leads back to them");
    }
}
