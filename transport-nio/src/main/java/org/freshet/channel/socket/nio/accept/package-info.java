/**
 * Accepting connections. {@code AcceptLoop} does all of it; {@code NioListener}, in the parent package, creates
 * channels for the accepted connections. The package is not exported and does not import its parent.
 */
package org.freshet.channel.socket.nio.accept;
