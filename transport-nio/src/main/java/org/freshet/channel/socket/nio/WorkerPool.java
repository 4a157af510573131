package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.Worker;

/** The worker loops of a channel factory. Use {@link ShareableWorkerPool} to share them among several factories. */
public interface WorkerPool<E extends Worker> extends NioSelectorPool {
    /** Returns the worker for the next channel, in round-robin order. */
    E nextWorker();
}
