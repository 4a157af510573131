/** A protocol of text lines, as one types it into telnet. Read {@code TelnetServer} first. */
package org.freshet.example.telnet;
