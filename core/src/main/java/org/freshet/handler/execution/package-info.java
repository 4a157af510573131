/**
 * Runs handlers on threads other than the channel's I/O thread. Start with
 * {@link org.freshet.handler.execution.ExecutionHandler} and the table there.
 * {@link org.freshet.handler.execution.PipelinedExecutionHandler} runs the requests of one connection in parallel and
 * answers them in order.
 */
package org.freshet.handler.execution;
