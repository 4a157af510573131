package org.freshet.testkit.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transport over a simulated kernel, in each scenario with many seeds; see {@link Seeded} for how to run others. */
class TransportSimulationTest {
    private static final Map<String, Supplier<Scenario>> SCENARIOS = new TreeMap<>(Map.of(
            "echo", EchoScenario::new,
            "proxy", ProxyScenario::new,
            "back-pressure", BackPressureScenario::new,
            "writers", WritersScenario::new,
            "close-race", CloseRaceScenario::new,
            "connect", ConnectScenario::new,
            "half-close", HalfCloseScenario::new,
            "group", GroupScenario::new,
            "limits", LimitScenario::new,
            "shutdown", () -> new ShutdownScenario(new CloseRaceScenario())));

    static Set<String> names() {
        return SCENARIOS.keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    @Timeout(Seeded.MOST_SECONDS)
    void shouldKeepItsPromisesWhateverTheKernelDoes(String name) {
        Seeded.run(name, SCENARIOS.get(name));
    }

    @Test
    void shouldFireChannelBoundBeforeChannelConnectedWhenAListenerOfTheBindConnects() {
        for (long seed = 0; seed < 20; seed++) { // some of these complete the connect immediately
            Simulation.run("bind and connect", new ConnectFromPort(), seed);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldRepeatARunWithTheSameSeed(String name) {
        for (long seed = 0; seed < 5; seed++) {
            Trace first = Simulation.run(name, SCENARIOS.get(name).get(), seed);
            Trace again = Simulation.run(name, SCENARIOS.get(name).get(), seed);
            assertEquals(first.size(), again.size());
            assertEquals(first.hash(), again.hash());
        }
    }
}
