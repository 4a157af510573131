/** Drains a single channel, for bootstraps and handlers; start at {@link org.freshet.internal.drain.ChannelDrain}. */
package org.freshet.internal.drain;
