package org.freshet.microbench.compare.report;

/** One row of a table: a server, or a server in one of several settings. The first row of a case is what ratios are taken of. */
public interface Contender {
    /** The name in JSON. */
    String id();

    /** The name in tables and plots. */
    String label();
}
