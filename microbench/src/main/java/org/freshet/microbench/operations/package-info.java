/** What looking into a server, bounding it and saying why connections end cost those who do not ask. */
package org.freshet.microbench.operations;
