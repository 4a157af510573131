/**
 * Measurements of single connections: {@code TrafficMeter} counts the bytes of a bootstrap's connections, in total and each, and
 * {@code ConnectionRecording} reports to Flight Recorder. {@code internal.telemetry} measures loops.
 */
package org.freshet.internal.metering;
