/**
 * What pools of loops are made of: how an executor starts the loops ({@code LoopStart}, {@code LoopRole}), and the figures
 * of all loops of a factory ({@code PoolStats}). The pools themselves are public API and
 * so in the package above, which this one does not import. {@code SimulatedLoops} has them run over a simulated kernel; the package is exported
 * to the test kit, for that, and to nothing else.
 */
package org.freshet.channel.socket.nio.pool;
