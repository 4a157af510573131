package org.freshet.testkit.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
 * Every promise holds for every pipeline, whatever the peer does: all pairs of parts, in both orders, over the
 * simulated network.
 *
 * <p>A build runs a fixed sample; {@code -Dfreshet.test.seed=N} runs another one, and {@code -Dfreshet.seams=true} runs
 * every cell. {@code -Dfreshet.matrix.cell=CELL} repeats one that failed.
 */
class CombinationMatrixTest {
    private static final int CELLS_OF_A_BUILD = 4_000;
    private static final int MOST_SECONDS = 500;

    /** The number of failures to describe. */
    private static final int SHOWN = 20;

    /** Each cell has its own seed. */
    private static List<Cell> cells() {
        Random random = Seeds.random();
        List<Cell> cells = new ArrayList<>(Cell.all(Combination.all(), 0));
        Collections.shuffle(cells, random);
        boolean areAllRun = Boolean.getBoolean("freshet.seams");
        return cells.stream()
                .limit(areAllRun ? cells.size() : Seeds.rounds(CELLS_OF_A_BUILD))
                .map(cell -> cell.withSeed(random.nextInt(Integer.MAX_VALUE)))
                .toList();
    }

    @Test
    @Timeout(MOST_SECONDS)
    void shouldKeepEveryPromiseInEveryCombination() {
        String only = System.getProperty(Cell.PROPERTY);
        List<Cell> cells = only == null ? cells() : List.of(Cell.of(only));
        long startNanos = System.nanoTime();
        List<String> failures = new ArrayList<>();
        Leftovers leftovers = new Leftovers();
        for (Cell cell : cells) {
            Throwable failure = cell.run(PlantedFault.NONE, leftovers);
            if (failure != null) {
                failures.add(cell.howToRepeat() + "\n    " + failure);
            }
        }
        leftovers.find().forEach(cell -> failures.add(cell.howToRepeat() + "\n    its channel is still referred to"));
        if (Boolean.getBoolean("freshet.test.figures")) {
            System.out.printf("%d cells in %d ms%n", cells.size(), (System.nanoTime() - startNanos) / 1_000_000);
        }
        if (!failures.isEmpty()) {
            fail(failures.size() + " of " + cells.size() + " cells fail:\n"
                    + failures.stream().limit(SHOWN).collect(Collectors.joining("\n")));
        }
    }

    @Test
    void shouldNameEachCellForRepetition() {
        for (Cell cell : Cell.all(Combination.all(), 7)) {
            assertEquals(cell, Cell.of(cell.toString()));
        }
    }
}
