/**
 * Copies what channels receive and send to a file that Wireshark reads, while they run; start at {@link
 * org.freshet.handler.tap.WireTap}.
 */
package org.freshet.handler.tap;
