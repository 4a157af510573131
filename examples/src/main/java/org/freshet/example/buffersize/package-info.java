/**
 * How the size of a socket's receive buffer affects requests of 8,088 bytes. The client changes the size over JMX while
 * the server runs, and measures elapsed time and frame decoder calls. At the end it shows the size that the kernel's
 * auto-tuning reaches. Read {@code BufferSizeServer} first.
 */
package org.freshet.example.buffersize;
