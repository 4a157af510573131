package org.freshet.simulation;

import java.util.concurrent.TimeUnit;

/** The transport is shut down in the middle of another scenario. Nothing has to arrive; all has to end. */
final class ShutdownScenario implements Scenario {
    private final Scenario traffic;

    ShutdownScenario(Scenario traffic) {
        this.traffic = traffic;
    }

    @Override
    public void start(Simulation simulation) {
        traffic.start(simulation);
        simulation
                .timer()
                .newTimeout(t -> simulation.stopTransport(), simulation.draw().below(20_000), TimeUnit.MICROSECONDS);
    }
}
