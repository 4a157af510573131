/** What I/O loops count and show of themselves, and the thread that watches them. */
package org.freshet.internal.telemetry;
