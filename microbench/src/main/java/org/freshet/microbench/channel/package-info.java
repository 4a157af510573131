/** What making and dispatching an event, completing a future and looking up a channel's variable cost. */
package org.freshet.microbench.channel;
