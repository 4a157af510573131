/** What the transports have in common: how requests reach the thread that carries them out, and what waits to be sent. */
package org.freshet.internal.transport;
