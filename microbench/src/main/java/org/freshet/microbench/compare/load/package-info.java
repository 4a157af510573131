/** The load that all peers get: {@link org.freshet.microbench.compare.load.LoadGenerator} and what it is made of. */
package org.freshet.microbench.compare.load;
