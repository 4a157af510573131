/** The counters and the visible state of I/O loops, and the thread that watches the loops. */
package org.freshet.internal.telemetry;
