/**
 * Limits how many bytes a second channels read and write, and counts them. Start with {@link
 * org.freshet.handler.traffic.AbstractTrafficShapingHandler}, which says how it is done, and take one of its subclasses. {@link
 * org.freshet.handler.traffic.BackPressureHandler} stops reading from peers that do not read.
 */
package org.freshet.handler.traffic;
