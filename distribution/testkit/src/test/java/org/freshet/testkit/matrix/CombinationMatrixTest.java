package org.freshet.testkit.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombinationMatrixTest {
    @Test
    void probe() {
        List<String> failed = new ArrayList<>();
        String only = System.getProperty(Cell.PROPERTY);
        List<Cell> cells = new ArrayList<>();
        if (only != null) {
            cells.add(Cell.of(only));
        } else {
            for (long seed = 0; seed < Long.getLong("probe.seeds", 1); seed++) {
                cells.addAll(Cell.all(Boolean.getBoolean("probe.pairs") ? Combination.all() : Combination.singles(), seed));
            }
        }
        Leftovers leftovers = new Leftovers();
        long start = System.nanoTime();
        for (Cell cell : cells) {
            long began = System.nanoTime();
            Throwable failure = cell.run(PlantedFault.NONE, leftovers);
            long ms = (System.nanoTime() - began) / 1_000_000;
            if (ms > 1000) System.out.println("SLOW " + ms + " " + cell);
            if (failure != null) {
                failed.add(cell + " " + failure);
                if (only != null) failure.printStackTrace(System.out);
            }
        }
        leftovers.find().forEach(c -> failed.add(c + " LEFT"));
        System.out.println(cells.size() + " cells in " + (System.nanoTime() - start) / 1_000_000 + " ms, failed " + failed.size());
        failed.forEach(f -> System.out.println("FAIL " + f));
    }
}
