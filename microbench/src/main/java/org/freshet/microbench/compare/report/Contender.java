package org.freshet.microbench.compare.report;

/** One row of a table: a server, or a server in one of several settings. Ratios are to the first row of a case. */
public interface Contender {
    /** The name in JSON. */
    String id();

    /** The name in tables and plots. */
    String label();
}
