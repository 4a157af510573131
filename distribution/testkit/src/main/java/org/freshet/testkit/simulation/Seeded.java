package org.freshet.testkit.simulation;

import java.util.function.Supplier;

/**
 * Runs scenarios with many seeds. A build takes the same seeds each time, so that it does not fail by chance; properties name others.
 */
public final class Seeded {
    /** Only the scenario of this name. */
    static final String SCENARIO = "freshet.simulation.scenario";

    /** The first seed. */
    static final String FIRST = "freshet.simulation.first";

    /** How many seeds. */
    static final String SEEDS = "freshet.simulation.seeds";

    /** How many lines of the trace a failure shows. */
    static final String LINES = "freshet.simulation.lines";

    /** Prints a number that is the same wherever all runs did the same, to compare JDKs. */
    static final String PRINT = "freshet.simulation.print";

    /** What a test of many seeds may take, which surefire limits likewise. */
    public static final int MOST_SECONDS = 400;

    private static final int DEFAULT_SEEDS = 200;

    private Seeded() {}

    /** Runs a scenario with each seed, unless another one is asked for; throws what the first failure says. */
    public static void run(String name, Supplier<Scenario> scenarios) {
        if (!name.equals(System.getProperty(SCENARIO, name))) {
            return;
        }
        long first = Long.getLong(FIRST, 0);
        int seeds = Integer.getInteger(SEEDS, DEFAULT_SEEDS);
        long hash = 0;
        long lines = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            Trace trace = Simulation.run(name, scenarios.get(), seed);
            hash = 31 * hash + trace.hash();
            lines += trace.size();
        }
        if (Boolean.getBoolean(PRINT)) {
            System.out.println(name + ", seeds " + first + " to " + (first + seeds - 1) + ": " + lines + " lines, hash "
                    + Long.toHexString(hash));
        }
    }
}
