/**
 * Limits how many bytes a second channels read and write, and counts them. Start with {@link
 * org.freshet.handler.traffic.AbstractTrafficShapingHandler}, which says how it is done, and take one of its subclasses.
 */
package org.freshet.handler.traffic;
