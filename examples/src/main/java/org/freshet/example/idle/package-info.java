/** Heartbeats that keep a quiet connection, and a server that hangs up on a silent one. Read {@code Idle} first. */
package org.freshet.example.idle;
