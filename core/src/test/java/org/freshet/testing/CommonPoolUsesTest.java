package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommonPoolUsesTest {
    /** Makes one call of each kind, and one that is allowed. */
    static final class Offender {
        void offend(CompletableFuture<String> future) {
            future.thenRunAsync(() -> {});
            future.thenRunAsync(() -> {}, Runnable::run);
            future.orTimeout(1, TimeUnit.DAYS);
        }
    }

    @Test
    void shouldFindCallsThatRunOnTheCommonPoolOrItsDelayThread() throws Exception {
        Path classes = Path.of(Offender.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> found = CommonPoolUses.below(classes.resolve("org/freshet/testing"));
        found.removeIf(use -> !use.startsWith("CommonPoolUsesTest$Offender.class"));
        assertEquals(2, found.size(), found.toString());
    }
}
