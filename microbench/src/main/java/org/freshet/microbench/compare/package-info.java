/**
 * Side-by-side runs of whole servers, each in a separate process.
 *
 * <p>Start with {@link org.freshet.microbench.compare.Comparison}: one class for each kind of comparison.
 * {@link org.freshet.microbench.compare.Rounds} runs its cases with one peer after the other.
 * {@link org.freshet.microbench.compare.ServerProcess} manages a peer's process; the {@code server} package has the
 * code that runs inside it, {@code load} the client, which is the same for all, and {@code report} the output.
 */
package org.freshet.microbench.compare;
