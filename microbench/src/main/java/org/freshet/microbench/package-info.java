/**
 * Measurements for design decisions.
 *
 * <p>The JMH benchmarks are in {@link org.freshet.microbench.buffer}, {@link org.freshet.microbench.channel},
 * {@link org.freshet.microbench.codec}, {@link org.freshet.microbench.operations},
 * {@link org.freshet.microbench.transport} and {@link org.freshet.microbench.util}, one class per question.
 * {@link org.freshet.microbench.compare} runs whole servers side by side.
 */
package org.freshet.microbench;
