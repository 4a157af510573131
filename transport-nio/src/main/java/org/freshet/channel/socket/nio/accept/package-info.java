/**
 * How a listening channel accepts. {@code AcceptLoop} is all of it; {@code NioListener}, in the package above, makes channels of
 * what it accepts. The package is not exported and imports nothing from above.
 */
package org.freshet.channel.socket.nio.accept;
