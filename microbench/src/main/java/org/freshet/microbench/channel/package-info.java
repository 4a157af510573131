/** The cost of creating and dispatching events, completing futures, and looking up a channel's variables. */
package org.freshet.microbench.channel;
