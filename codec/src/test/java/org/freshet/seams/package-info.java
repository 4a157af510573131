/**
 * Tests of guarantees that several features provide together, at each place where output can be queued: how much may be
 * queued on one channel and in the whole process, and how a drain reports it. Start at {@link
 * org.freshet.seams.WriteLimitSeamsTest}; {@link org.freshet.seams.Scene} has the places. They use only the public API,
 * so that they can judge any design behind it.
 */
package org.freshet.seams;
