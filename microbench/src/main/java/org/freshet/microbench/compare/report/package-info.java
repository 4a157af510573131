/** The output of a run: {@link org.freshet.microbench.compare.report.Report} as a table, as JSON and as a plot. */
package org.freshet.microbench.compare.report;
