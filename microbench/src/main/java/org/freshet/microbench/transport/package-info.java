/** What passing work to an I/O thread, writing to a socket and receiving from one cost. */
package org.freshet.microbench.transport;
