/**
 * The parts of pools of loops: starting loops on an executor ({@code LoopStart}, {@code LoopRole}), and the statistics
 * of all loops of a factory ({@code PoolStats}). The pools themselves are public API, so they are in the parent
 * package, which this one does not import. {@code SimulatedLoops} runs them over a simulated kernel; for that purpose
 * the package is exported to the test kit, and to nothing else.
 */
package org.freshet.channel.socket.nio.pool;
