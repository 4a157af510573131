/**
 * The load that all peers get, one {@link org.freshet.microbench.compare.load.Generator} for each kind of work: start reading
 * there, then at {@link org.freshet.microbench.compare.load.LoadGenerator}. What client and server must agree about, as
 * {@link org.freshet.microbench.compare.load.ObjectDialect} or {@link org.freshet.microbench.compare.load.CallDigest}, is here
 * too.
 */
package org.freshet.microbench.compare.load;
