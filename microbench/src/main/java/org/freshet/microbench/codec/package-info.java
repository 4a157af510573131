/** What cutting a stream into frames, and turning text and objects into bytes and back, costs. */
package org.freshet.microbench.codec;
