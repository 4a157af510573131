/** The smallest useful server and client. Read {@code EchoServer} first. */
package org.freshet.example.echo;
