/**
 * Classes shared by the transports: life-cycle events ({@code LifecycleEvents}), lent messages ({@code LentMessageEvent}), sockets, name
 * lookup ({@code NameLookup}) and datagrams. Requests are in {@code internal.request}, writing is in {@code internal.write}.
 */
package org.freshet.internal.transport;
