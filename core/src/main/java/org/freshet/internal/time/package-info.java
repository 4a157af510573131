/**
 * The thread that keeps Freshet's safety deadlines, and threads for work that may block; start at {@link
 * org.freshet.internal.time.SafetyTimer}.
 */
package org.freshet.internal.time;
