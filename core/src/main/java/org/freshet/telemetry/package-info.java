/**
 * Shows what a running program is doing: how busy its I/O loops are and how long their queues
 * ({@link org.freshet.telemetry.Telemetry}), and which handler is holding one of them
 * ({@link org.freshet.telemetry.StallWatch}).
 */
package org.freshet.telemetry;
