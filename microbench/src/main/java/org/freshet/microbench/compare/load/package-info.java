/**
 * The load for all peers, one {@link org.freshet.microbench.compare.load.Generator} for each kind of work. Start there,
 * then continue with {@link org.freshet.microbench.compare.load.LoadGenerator}. Conventions between client and server,
 * such as {@link org.freshet.microbench.compare.load.ObjectDialect} or
 * {@link org.freshet.microbench.compare.load.CallDigest}, are here too.
 */
package org.freshet.microbench.compare.load;
