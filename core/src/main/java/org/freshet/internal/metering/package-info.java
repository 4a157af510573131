/**
 * What is measured of single connections: {@code TrafficMeter} counts the bytes of a bootstrap's connections and of each of them, and
 * {@code ConnectionRecording} reports to Flight Recorder. {@code internal.telemetry} measures loops instead.
 */
package org.freshet.internal.metering;
