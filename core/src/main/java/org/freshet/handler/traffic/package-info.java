/**
 * Limits how many bytes per second channels read and write, and counts them. Start with
 * {@link org.freshet.handler.traffic.AbstractTrafficShapingHandler}, which explains how it works, and use one of its
 * subclasses. {@link org.freshet.handler.traffic.BackPressureHandler} stops reading from peers that do not read.
 */
package org.freshet.handler.traffic;
