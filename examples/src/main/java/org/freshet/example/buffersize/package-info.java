/**
 * What a socket's receive buffer does to requests of 8,088 bytes: elapsed time and frame decoder calls against the size of
 * the buffer, which the client changes over JMX while the server runs, and then the size at which an auto-tuned one ends.
 * Read {@code BufferSizeServer} first.
 */
package org.freshet.example.buffersize;
