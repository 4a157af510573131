/**
 * Utilities that the rest of Freshet uses and you may need too: timers, thread names, address texts, size estimates.
 *
 * <p>Start at {@link org.freshet.util.HashedWheelTimer}, which drives the time-outs of all channels of an application.
 */
package org.freshet.util;
