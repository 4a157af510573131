/**
 * The code that runs in the server's process: {@link org.freshet.microbench.compare.server.ServerMain} starts one
 * {@link org.freshet.microbench.compare.server.Peer} in one {@link org.freshet.microbench.compare.server.Role}.
 */
package org.freshet.microbench.compare.server;
