/**
 * How servers accept connections, shared by all transports. {@code AcceptLimits} limits the connections of a server or an
 * {@code AcceptGuard}, {@code AcceptPermit} is one connection's share of these limits, and {@code AcceptStatus} knows whether a server
 * accepts and, if not, why.
 */
package org.freshet.internal.accept;
