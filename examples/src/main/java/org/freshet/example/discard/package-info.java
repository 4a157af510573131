/**
 * A server that throws everything away, and a client that fills its connection. Read {@code DiscardClientHandler}
 * first.
 */
package org.freshet.example.discard;
