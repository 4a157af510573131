/**
 * What the transports do alike: the events of a channel's life ({@code LifecycleEvents}), lent messages ({@code LentMessageEvent}),
 * sockets, names ({@code NameLookup}) and datagrams. Requests are in {@code internal.request}, writing is in {@code internal.write}.
 */
package org.freshet.internal.transport;
