/**
 * Machinery that Freshet's modules share; not for users.
 *
 * <p>Here is what {@code org.freshet.channel} itself asks of others; it imports nothing of Freshet. The packages below are named
 * for those who use them.
 */
package org.freshet.internal;
