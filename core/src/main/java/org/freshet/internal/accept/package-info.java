/**
 * How servers accept connections, shared by all transports. {@code AcceptLimits} bounds the connections of a server or of an {@code
 * AcceptGuard}, {@code Place} is what one connection takes of these limits, and {@code AcceptStatus} knows whether a server accepts and why
 * not.
 */
package org.freshet.internal.accept;
