/** A client that keeps its connection up. Read {@code Reconnector} first. */
package org.freshet.example.uptime;
