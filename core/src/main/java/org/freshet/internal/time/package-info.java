/**
 * The thread that keeps Freshet's safety deadlines, and threads for work that may block; start at {@link
 * org.freshet.internal.time.SafetyTimer}. Whatever sets a timer again, the user's or this one, does so by an {@link
 * org.freshet.internal.time.Alarm}, which survives what fails.
 */
package org.freshet.internal.time;
