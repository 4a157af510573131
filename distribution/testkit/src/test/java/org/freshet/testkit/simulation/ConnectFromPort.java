package org.freshet.testkit.simulation;

/** Connects from a given address, with a bind whose listener connects. */
final class ConnectFromPort implements Scenario {
    private static final int PORT = 80;

    @Override
    public void start(Simulation simulation) {
        simulation.step(
                0,
                () -> simulation.server(() -> simulation.pipeline("accepted")).bindAsync(Simulation.address(PORT)));
        simulation.step(
                0,
                () -> simulation
                        .client(() -> simulation.pipeline("client"))
                        .connect(Simulation.address(PORT), Simulation.address(0)));
    }
}
