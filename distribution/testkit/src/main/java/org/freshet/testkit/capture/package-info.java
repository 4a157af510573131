/** Reads packet captures; start at {@link org.freshet.testkit.capture.Capture}. */
package org.freshet.testkit.capture;
