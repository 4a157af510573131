/**
 * What pools of loops are made of: how an executor starts the loops ({@code LoopStart}, {@code LoopRole}), and the figures
 * of all loops of a factory ({@code PoolStats}). The pools themselves are public API and
 * so in the package above, which this one does not import. The package is not exported.
 */
package org.freshet.channel.socket.nio.pool;
