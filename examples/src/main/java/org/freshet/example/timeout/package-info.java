/** The channel's connect time-out against the time-out of an await: two clocks that mean different things. */
package org.freshet.example.timeout;
