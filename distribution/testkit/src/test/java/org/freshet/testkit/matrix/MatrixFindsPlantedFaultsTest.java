package org.freshet.testkit.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The matrix can fail: whichever promise a handler breaks, few cells are needed to find it. */
class MatrixFindsPlantedFaultsTest {
    private static final int MAX_CELLS = 600;

    /** The number of cells between two garbage collections. */
    private static final int CELLS_TO_LOOK_FOR_LEFTOVERS = 100;

    private static final long SEED = 1;

    /** All promises, peers and parts, in an order that favors none. Each cell has its own seed. */
    private static List<Cell> cells() {
        Random random = new Random(SEED);
        List<Cell> cells = new ArrayList<>(Cell.all(Combination.singles(), 0));
        Collections.shuffle(cells, random);
        return cells.stream()
                .limit(MAX_CELLS)
                .map(cell -> cell.withSeed(random.nextInt(Integer.MAX_VALUE)))
                .toList();
    }

    /** The first cell that fails, and how; null if none does. */
    private static String firstFailure(PlantedFault fault) {
        Leftovers leftovers = new Leftovers();
        List<Cell> cells = cells();
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            Throwable failure = cell.run(fault, leftovers);
            if (failure != null) {
                return "cell " + i + ", " + cell + ": " + failure.getMessage();
            }
            if ((i + 1) % CELLS_TO_LOOK_FOR_LEFTOVERS == 0 && !leftovers.find().isEmpty()) {
                return "cell " + i + ", channels left of " + leftovers.find().get(0);
            }
        }
        return null;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindAFault(PlantedFault fault) {
        String failure = firstFailure(fault);
        assertNotNull(failure, "not found in " + MAX_CELLS + " cells");
        if (Boolean.getBoolean("freshet.test.figures")) {
            System.out.printf("%-22s %s%n", fault, failure);
        }
    }

    @Test
    void shouldFindNothingWithoutAFault() {
        assertEquals(null, firstFailure(PlantedFault.NONE));
    }
}
