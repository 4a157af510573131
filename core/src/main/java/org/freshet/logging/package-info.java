/**
 * The logging of Freshet's own messages.
 *
 * <p>Start at {@link org.freshet.logging.InternalLoggerFactory}: its default factory decides where messages go, by default
 * to slf4j. Applications log with their own library and need this package only to redirect
 * Freshet's messages or to read them in a test.
 */
package org.freshet.logging;
