/** A protocol of text lines, for use with telnet. Read {@code TelnetServer} first. */
package org.freshet.example.telnet;
