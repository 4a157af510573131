/**
 * Copies the bytes that running channels receive and send to a file for Wireshark. Start at
 * {@link org.freshet.handler.tap.WireTap}.
 */
package org.freshet.handler.tap;
