/** What reading and writing buffers costs. */
package org.freshet.microbench.buffer;
