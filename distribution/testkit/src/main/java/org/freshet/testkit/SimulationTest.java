package org.freshet.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test that runs once per seed, each time with its own {@link SimulatedNetwork}.
 *
 * <pre>{@code
 * class ShoutTest {
 *     @SimulationTest
 *     void shouldShoutBack(SimulatedNetwork network) {
 *         network.server(7, () -> Channels.pipeline(new ShoutHandler()));
 *         network.clients(3, 7, client -> client.send("hello").expect("HELLO").close());
 *         network.run();
 *         network.assertNothingLeft();
 *     }
 * }
 * }</pre>
 *
 * <p>The method takes one parameter, the network. Methods annotated with {@code @BeforeEach} and {@code @AfterEach} run
 * once, before the first seed and after the last. So if a run changes something, set it up in the test method itself.
 *
 * <p>A failure names its seed and shows the end of the shortest run found that fails the same way.
 * {@code -Dfreshet.seed=N} runs only that seed; {@code -Dfreshet.seeds=N} runs that many instead of {@link #seeds()};
 * {@code -Dfreshet.lines=N} shows more lines. {@code -Dfreshet.print=true} prints a hash of all runs, which is the same
 * on every JDK.
 */
@Documented
@Test
@ExtendWith(SeededRuns.class)
@SuppressWarnings("exports") // JUnit finds the extension by reflection
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SimulationTest {
    /** The number of seeds, starting at {@link #firstSeed()}; at least 1. */
    int seeds() default 200;

    /** The first seed. */
    long firstSeed() default 0;

    /**
     * The maximum number of runs for finding a shorter one that fails the same way; 0 reports the first failure as it
     * is.
     */
    int shrinkRuns() default 1000;
}
