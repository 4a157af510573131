/** What timers cost. */
package org.freshet.microbench.util;
