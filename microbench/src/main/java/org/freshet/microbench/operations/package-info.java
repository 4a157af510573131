/** The cost of monitoring, limits and close reasons for programs that do not use them. */
package org.freshet.microbench.operations;
