/** Logs the events of a channel: put a {@link org.freshet.handler.logging.LoggingHandler} anywhere in its pipeline. */
package org.freshet.handler.logging;
