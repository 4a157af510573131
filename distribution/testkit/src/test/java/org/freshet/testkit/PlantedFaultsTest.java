package org.freshet.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kit finds typical faults: a server for lines of text, once correct, and once with each of many faults. */
class PlantedFaultsTest {
    private static final int PORT = 7;

    /** Far less than what finds all of them in a minute; see CONTRIBUTING for the target. */
    private static final int MAX_SEEDS = 5_000;

    private static final int SHRINK_RUNS = 600;

    /** Runs with fewer events are short enough. */
    private static final int FEW_EVENTS = 200;

    private static void converse(SimulatedNetwork network, LineServer.Fault fault) {
        LineServer server = new LineServer(network, fault);
        network.limitPendingBytes(16 * 1024);
        network.expectExceptions(TooLongFrameException.class);
        network.expectExceptions(ReadTimeoutException.class);
        network.server(
                PORT,
                server,
                Map.of("child.writeBufferHighWaterMark", 8 * 1024, "child.writeBufferLowWaterMark", 4 * 1024));
        network.clients(
                2,
                PORT,
                client -> client.within(Duration.ofMinutes(5))
                        .send("one\ntwö\nthree\n")
                        .expect("one!\ntwö!\nthree!\n")
                        .send("\nquit\n")
                        .expect("!\nbye\n")
                        .expectClose());
        network.clients(
                1,
                PORT,
                client -> client.send("flood\n").skip(LineServer.FLOOD_BYTES).close());
        network.clients(
                1,
                PORT,
                client -> client.send("a line longer than the server accepts: " + "0123456789".repeat(10) + "\n")
                        .expectClose());
        network.clients(
                1, PORT, client -> client.send("hello\n").expect("hello!\n").vanish());
        network.faults(Faults.standard().refusedConnects(0));
        network.run();
        network.assertNothingLeft();
        assertEquals(0, server.connections(), "connections counted by the server");
    }

    @Test
    void shouldFindNothingInACorrectServer() {
        SeedSearch.Found found = new SeedSearch(network -> converse(network, LineServer.Fault.NONE), 0).search(0, 300);
        assertNull(found, () -> found.report("", 60).getMessage());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindAFault(LineServer.Fault fault) {
        AtomicInteger runs = new AtomicInteger();
        SeedSearch.Found found = new SeedSearch(
                        network -> {
                            runs.incrementAndGet();
                            converse(network, fault);
                        },
                        fault.canBeRepeated() ? SHRINK_RUNS : 0)
                .search(0, MAX_SEEDS);
        assertNotNull(found, "not found in " + MAX_SEEDS + " seeds");
        int events = found.shortest().trace().size();
        if (Boolean.getBoolean("freshet.test.figures")) {
            System.out.printf(
                    "%-22s seed %4d, %5d runs, %6d -> %5d events: %s%n",
                    fault,
                    found.seed(),
                    runs.get(),
                    found.first().trace().size(),
                    events,
                    String.valueOf(found.shortest().failure().getMessage())
                            .lines()
                            .findFirst()
                            .orElse(""));
        }
        assertTrue(
                events <= FEW_EVENTS || 5 * events <= found.first().trace().size() || !fault.canBeRepeated(),
                () -> events + " of " + found.first().trace().size() + " events are left: "
                        + found.shortest().failure());
    }
}
