/** The cost of passing work to an I/O thread, writing to a socket and receiving from one. */
package org.freshet.microbench.transport;
