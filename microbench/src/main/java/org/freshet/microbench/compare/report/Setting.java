package org.freshet.microbench.compare.report;

/** One of several settings of a server to be compared. */
public record Setting(String id, String label) implements Contender {}
