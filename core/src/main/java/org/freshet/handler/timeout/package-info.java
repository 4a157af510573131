/**
 * Detects inactive connections: {@link org.freshet.handler.timeout.IdleStateHandler} sends events,
 * {@link org.freshet.handler.timeout.ReadTimeoutHandler} and {@link org.freshet.handler.timeout.WriteTimeoutHandler}
 * raise an exception.
 *
 * <p>All of them can be shared by any number of pipelines and take a {@link org.freshet.util.Timer}; an application
 * needs only one. A time-out fires up to one tick of that timer late, and never early.
 */
package org.freshet.handler.timeout;
