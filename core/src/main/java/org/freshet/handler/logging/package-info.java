/** Writes what happens on a channel to the log: put a {@link org.freshet.handler.logging.LoggingHandler} anywhere. */
package org.freshet.handler.logging;
