/**
 * What a running program can be asked: how busy its I/O loops are and how long their queues ({@link org.freshet.telemetry.Telemetry}), and
 * which handler holds one of them ({@link org.freshet.telemetry.StallWatch}).
 */
package org.freshet.telemetry;
