/**
 * The parts of a loop that don't depend on a kind of channel: its thread's life cycle ({@code LoopThread}), the tasks
 * submitted by other threads ({@code LoopTasks}, {@code TaskQueue}, {@code ReusableTask}), its selector
 * ({@code LoopSelector}, {@code SpinGuard}), its {@code Deadlines}, and the work left after memory ran out
 * ({@code LoopRecovery}, {@code BrokenChannels}). {@code LoopChannel} is their whole view of a channel,
 * {@code Platform} their whole view of the JVM.
 *
 * <p>{@code NioLoop}, in the parent package, combines them. The package is not exported: its public members are for the
 * parent package.
 */
package org.freshet.channel.socket.nio.loop;
