/** The cost of codecs: cutting a stream into frames, and converting text and objects to bytes and back. */
package org.freshet.microbench.codec;
