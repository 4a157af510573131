/**
 * Queues between a channel and its user: {@link org.freshet.handler.queue.BlockingReadHandler} lets a thread read like
 * from a stream, {@link org.freshet.handler.queue.BufferedWriteHandler} holds writes back until they are flushed.
 */
package org.freshet.handler.queue;
