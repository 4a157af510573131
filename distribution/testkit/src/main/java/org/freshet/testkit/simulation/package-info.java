/**
 * Runs the NIO transport over a simulated kernel, network and clock. {@link org.freshet.testkit.simulation.Simulation}
 * is one run, determined by a seed; a {@link org.freshet.testkit.simulation.Scenario} describes the traffic;
 * {@link org.freshet.testkit.simulation.Watch} checks the rules that always hold;
 * {@link org.freshet.testkit.simulation.Seeded} runs many seeds.
 *
 * <p>The transport's classes and threads are the real ones. The threads run one at a time: at each system call, a
 * thread passes {@code Baton} on, and the seed decides which thread gets it. {@code Kernel} has the sockets,
 * {@code FaultRates} the faults, {@code Trace} the record of events.
 *
 * <p>Not explored: interleavings of two threads between two system calls. The stress tests and real machines cover
 * those.
 */
package org.freshet.testkit.simulation;
