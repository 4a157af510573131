package org.freshet.microbench.compare.report;

/** One of several settings of a server, which are compared with one another. */
public record Setting(String id, String label) implements Contender {}
