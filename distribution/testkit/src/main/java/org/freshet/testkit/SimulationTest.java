package org.freshet.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test that runs once per seed, each time with a {@link SimulatedNetwork} of its own.
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
 * <p>The method takes one parameter, the network. Methods annotated with {@code @BeforeEach} and {@code @AfterEach} run once, before the
 * first seed and after the last, so set up in the method itself what a run changes.
 *
 * <p>A failure names its seed and shows the end of the shortest run found that fails the same way. {@code -Dfreshet.seed=N} runs that seed
 * alone; {@code -Dfreshet.seeds=N} runs that many instead of {@link #seeds()}; {@code -Dfreshet.lines=N} shows more lines. {@code -Dfreshet.print=true} prints a hash
 * of all runs, which is the same on every JDK.
 */
@Documented
@Test
@ExtendWith(SeededRuns.class)
@SuppressWarnings("exports") // JUnit finds the extension by reflection
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SimulationTest {
    /** How many seeds, from {@link #firstSeed()} on; at least 1. */
    int seeds() default 200;

    /** The first seed. */
    long firstSeed() default 0;

    /** How many runs may be spent on finding a shorter one that fails the same way; 0 to report the first failure as it is. */
    int shrinkRuns() default 1000;
}
