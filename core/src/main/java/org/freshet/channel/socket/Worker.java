package org.freshet.channel.socket;

/** Drives the I/O of channels on its own thread: {@link #run()} returns when it is shut down. */
public interface Worker extends Runnable {
    /**
     * Runs a task on the worker's thread: immediately if that is the calling thread, otherwise soon. Any thread may call this.
     *
     * @param task the task to run; its exceptions are logged
     */
    void executeInIoThread(Runnable task);
}
