/**
 * Queues between a channel and your code: with {@link org.freshet.handler.queue.BlockingReadHandler} a thread reads as
 * from a stream; {@link org.freshet.handler.queue.BufferedWriteHandler} holds writes back until they are flushed.
 */
package org.freshet.handler.queue;
