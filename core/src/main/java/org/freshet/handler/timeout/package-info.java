/**
 * Notices connections on which nothing happens: {@link org.freshet.handler.timeout.IdleStateHandler} tells, {@link
 * org.freshet.handler.timeout.ReadTimeoutHandler} and {@link org.freshet.handler.timeout.WriteTimeoutHandler} raise an
 * exception.
 *
 * <p>All of them can be shared by any number of pipelines and take a {@link org.freshet.util.Timer}, of which an
 * application needs one. A delay is exceeded by up to a tick of that timer, and never cut short.
 */
package org.freshet.handler.timeout;
