package org.freshet.testkit.simulation;

/**
 * A scenario to simulate: the connections and their traffic. One instance per run; used only by the simulation's
 * threads, except for {@link #start}.
 */
public interface Scenario {
    /**
     * Sets up the traffic: creates bootstraps and adds steps for the users. Called before the run, on the test's
     * thread.
     */
    void start(Simulation simulation);

    /**
     * Called when nothing happens any more. Checks what should have happened by now, or adds further steps.
     *
     * @return true if there are further steps
     */
    default boolean onIdle(Simulation simulation) {
        return false;
    }

    /** Returns whether handlers may cause this exception without failing the run. */
    default boolean expects(Throwable cause) {
        return false;
    }

    /**
     * Returns whether handlers set the channel's user-defined writability, so that changes come not only from the
     * transport.
     */
    default boolean setsWritability() {
        return false;
    }
}
