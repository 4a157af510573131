/**
 * Logging of Freshet's own messages.
 *
 * <p>Start at {@link org.freshet.logging.InternalLoggerFactory}: its default factory decides where messages go (slf4j
 * by default). Applications log with their own library. They need this package only to redirect Freshet's messages or
 * to read them in a test.
 */
package org.freshet.logging;
