/**
 * What a loop is made of that knows no kind of channel: its thread's life ({@code LoopThread}), the tasks that other threads leave for
 * it ({@code LoopTasks}, {@code TaskQueue}, {@code ReusableTask}), its selector ({@code LoopSelector}, {@code SpinGuard}), its {@code Deadlines}, and what it still has to do
 * after memory ran out ({@code LoopRecovery}, {@code BrokenChannels}). {@code LoopChannel} is all that these know of a channel, {@code
 * Platform} all that they take from the JVM.
 *
 * <p>{@code NioLoop}, in the package above, puts them together. The package is not exported: what is public here is for that one.
 */
package org.freshet.channel.socket.nio.loop;
