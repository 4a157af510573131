package org.freshet.testkit.matrix;

import java.util.ArrayList;
import java.util.List;
import org.freshet.testkit.simulation.Choices;
import org.freshet.testkit.simulation.Simulation;

/** One cell of the matrix with one seed: a pipeline, the promise it has to keep, and a peer. */
record Cell(Combination combination, Promise promise, PeerKind peer, long seed) {
    /** Selects the one cell to run. */
    static final String PROPERTY = "freshet.matrix.cell";

    /** Every cell, with the same seed. */
    static List<Cell> all(List<Combination> combinations, long seed) {
        List<Cell> all = new ArrayList<>();
        for (Combination combination : combinations) {
            for (Promise promise : Promise.values()) {
                for (PeerKind peer : PeerKind.values()) {
                    if (promise.appliesTo(combination, peer)) {
                        all.add(new Cell(combination, promise, peer, seed));
                    }
                }
            }
        }
        return all;
    }

    /** @param name as returned by {@link #toString()} */
    static Cell of(String name) {
        String[] parts = name.split(":");
        return new Cell(
                Combination.of(parts[0]),
                Promise.valueOf(parts[1]),
                PeerKind.valueOf(parts[2]),
                Long.parseLong(parts[3]));
    }

    Cell withSeed(long other) {
        return new Cell(combination, promise, peer, other);
    }

    /**
     * Returns what went wrong; null if nothing did.
     *
     * @param leftovers receives what is to be checked after more cells have run
     */
    Throwable run(PlantedFault fault, Leftovers leftovers) {
        Stage stage = new Stage(this, fault);
        Simulation simulation = new Simulation(stage, seed, Choices.drawn());
        try {
            stage.start(simulation);
            simulation.run();
            if (stage.closed() != null) {
                leftovers.add(this, stage.closed());
            }
            return null;
        } catch (Throwable failure) {
            BudgetAccess.forget();
            return failure;
        } finally {
            stage.end();
        }
    }

    /** The command with which a developer runs exactly this cell. */
    String howToRepeat() {
        return "-D" + PROPERTY + "=" + this;
    }

    @Override
    public String toString() {
        return combination + ":" + promise + ":" + peer + ":" + seed;
    }
}
