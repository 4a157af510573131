/** The cost of reading and writing buffers. */
package org.freshet.microbench.buffer;
