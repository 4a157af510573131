/**
 * The thread that runs Freshet's safety deadlines, and threads for work that may block; start at
 * {@link org.freshet.internal.time.SafetyTimer}. Code that sets a timer repeatedly, the user's or this one, uses an
 * {@link org.freshet.internal.time.Alarm}, which survives failures.
 */
package org.freshet.internal.time;
