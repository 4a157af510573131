package org.freshet.channel.socket;

/** Drives the I/O of channels on a thread of its own: {@link #run()} returns when it is shut down. */
public interface Worker extends Runnable {
    /**
     * Runs a task on the worker's thread: at once when the caller is that thread, else soon. Any thread may call.
     *
     * @param task what to run; what it throws is logged
     */
    void executeInIoThread(Runnable task);
}
