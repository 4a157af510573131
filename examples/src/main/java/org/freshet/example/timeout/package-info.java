/** The channel's connect time-out and the time-out of an await: two clocks with different meanings. */
package org.freshet.example.timeout;
