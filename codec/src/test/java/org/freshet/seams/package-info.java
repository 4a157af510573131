/**
 * Tests of promises that several features keep together, in each place where output can wait: how much may wait on one channel, in the
 * whole process, and what a drain says about it. Start at {@link org.freshet.seams.WriteLimitSeamsTest}; {@link org.freshet.seams.Scene}
 * has the places. They use the public API alone, so that they can judge any design behind it.
 */
package org.freshet.seams;
