/** Reads packet captures. Start with {@link org.freshet.testkit.capture.Capture}. */
package org.freshet.testkit.capture;
