/** A client that keeps its connection open. Read {@code Reconnector} first. */
package org.freshet.example.uptime;
