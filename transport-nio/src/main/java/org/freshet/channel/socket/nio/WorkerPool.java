package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.Worker;

/** The worker loops of a channel factory; {@link ShareableWorkerPool} lets several factories use one. */
public interface WorkerPool<E extends Worker> extends NioSelectorPool {
    /** The worker for the next channel, round robin. */
    E nextWorker();
}
