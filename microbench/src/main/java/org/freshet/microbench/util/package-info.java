/** The cost of timers. */
package org.freshet.microbench.util;
