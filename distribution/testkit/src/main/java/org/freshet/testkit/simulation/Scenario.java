package org.freshet.testkit.simulation;

/** Something to simulate: who connects to whom, and what they do. One instance for each run; no thread but the simulation's. */
public interface Scenario {
    /** Sets up the traffic: makes bootstraps and leaves steps for the users. Before the run, on the test's thread. */
    void start(Simulation simulation);

    /**
     * Nothing happens any more: checks what should have happened by now, or leaves further steps.
     *
     * @return true if there are further steps
     */
    default boolean onIdle(Simulation simulation) {
        return false;
    }

    /** Whether handlers may cause this exception, so that it is no failure. */
    default boolean expects(Throwable cause) {
        return false;
    }

    /** Whether handlers set the channel's user-defined writability, so that not only the transport says when it changes. */
    default boolean setsWritability() {
        return false;
    }
}
