package org.freshet.testkit.matrix;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the simulation can't show: the same combinations on NIO, OIO and Unix domain sockets and on the local transport,
 * with a peer that reads and one that resets.
 *
 * <p>A build runs a fixed sample; {@code -Dfreshet.test.seed=N} runs another one, and {@code -Dfreshet.seams=true} runs
 * every cell. {@code -Dfreshet.matrix.real=CELL} repeats one that failed.
 */
class RealCombinationTest {
    private static final int CELLS_OF_A_BUILD = 100;
    private static final int MOST_SECONDS = 1200;
    private static final int SHOWN = 20;

    private static List<RealCell> cells() {
        Random random = Seeds.random();
        List<RealCell> cells = new ArrayList<>(RealCell.all());
        Collections.shuffle(cells, random);
        boolean areAllRun = Boolean.getBoolean("freshet.seams");
        return cells.subList(0, areAllRun ? cells.size() : Seeds.rounds(CELLS_OF_A_BUILD));
    }

    @Test
    @Timeout(MOST_SECONDS)
    void shouldKeepItsPromisesOnRealSockets() {
        String only = System.getProperty(RealCell.PROPERTY);
        List<RealCell> cells = only == null ? cells() : List.of(RealCell.of(only));
        long startNanos = System.nanoTime();
        List<String> failures = new ArrayList<>();
        for (RealCell cell : cells) {
            Throwable failure = cell.run();
            if (failure != null) {
                failures.add("-D" + RealCell.PROPERTY + "=" + cell + "\n    " + failure);
            }
        }
        if (Boolean.getBoolean("freshet.test.figures")) {
            System.out.printf("%d cells in %d ms%n", cells.size(), (System.nanoTime() - startNanos) / 1_000_000);
        }
        if (!failures.isEmpty()) {
            fail(failures.size() + " of " + cells.size() + " cells fail:\n"
                    + failures.stream().limit(SHOWN).collect(Collectors.joining("\n")));
        }
    }
}
