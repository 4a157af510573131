/**
 * The NIO transport over a simulated kernel, network and clock. {@link org.freshet.testkit.simulation.Simulation} is one run, which a seed
 * determines; a {@link org.freshet.testkit.simulation.Scenario} says what happens in it; {@link org.freshet.testkit.simulation.Watch} checks what must
 * always be true; {@link org.freshet.testkit.simulation.Seeded} runs many seeds.
 *
 * <p>The transport's classes and threads are the real ones. They run one at a time: a thread that makes a system call hands {@code Baton}
 * on, and the seed decides to whom. {@code Kernel} has the sockets, {@code FaultRates} what goes wrong, {@code Trace} what happened.
 *
 * <p>Not explored: what two threads do between two system calls. The stress tests and real machines have to find that.
 */
package org.freshet.testkit.simulation;
