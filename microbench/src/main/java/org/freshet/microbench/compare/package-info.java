/**
 * Side-by-side runs of whole servers, each in a process of its own.
 *
 * <p>Start reading at {@link org.freshet.microbench.compare.Comparison}: one class for each thing that is compared.
 * {@link org.freshet.microbench.compare.Rounds} runs its cases with one peer after the other,
 * {@link org.freshet.microbench.compare.ServerProcess} holds a peer's process, the {@code server} package has what runs
 * inside it, {@code load} the client that is the same for all, and {@code report} what comes out.
 */
package org.freshet.microbench.compare;
