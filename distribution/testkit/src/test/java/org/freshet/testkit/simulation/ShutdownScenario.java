package org.freshet.testkit.simulation;

import java.util.concurrent.TimeUnit;

/**
 * The transport is shut down in the middle of another scenario, while a further server is bound and further clients
 * connect. No data has to arrive, but everything has to end.
 */
final class ShutdownScenario implements Scenario {
    private static final int PORT = 90;

    private final Scenario traffic;

    ShutdownScenario(Scenario traffic) {
        this.traffic = traffic;
    }

    @Override
    public void start(Simulation simulation) {
        traffic.start(simulation);
        Draw draw = simulation.draw();
        simulation
                .timer()
                .newTimeout(
                        t -> {
                            simulation.step(0, () -> bind(simulation));
                            for (int i = draw.below(3); i > 0; i--) {
                                simulation.step(1, () -> connect(simulation));
                            }
                            simulation.stopTransport();
                        },
                        draw.below(20_000),
                        TimeUnit.MICROSECONDS);
    }

    private static void bind(Simulation simulation) {
        simulation.server(() -> simulation.pipeline("late-accepted")).bindAsync(Simulation.address(PORT));
    }

    private static void connect(Simulation simulation) {
        simulation.client(() -> simulation.pipeline("late-client")).connect(Simulation.address(PORT));
    }
}
