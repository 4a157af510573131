package org.freshet.testkit.simulation;

import java.util.function.Supplier;

/**
 * Runs scenarios with many seeds. A build uses the same seeds each time, so it does not fail by chance; system
 * properties select others.
 */
public final class Seeded {
    /** Runs only the scenario of this name. */
    static final String SCENARIO = "freshet.simulation.scenario";

    /** The first seed. */
    static final String FIRST = "freshet.simulation.first";

    /** The number of seeds. */
    static final String SEEDS = "freshet.simulation.seeds";

    /** The number of trace lines shown for a failure. */
    static final String LINES = "freshet.simulation.lines";

    /** Prints a hash that is the same if all runs did the same, to compare JDKs. */
    static final String PRINT = "freshet.simulation.print";

    /** The maximum duration of a test with many seeds. Surefire has the same limit. */
    public static final int MOST_SECONDS = 400;

    private static final int DEFAULT_SEEDS = 200;

    private Seeded() {}

    /** Runs a scenario with each seed, or with those selected by the properties. Throws the first failure. */
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
