package org.freshet.microbench.codec;

/** One library's string codec, without a pipeline. */
interface StringCoding {
    /** Returns a buffer with the bytes of the text. */
    Object encode(String text) throws Exception;

    /** Returns a buffer that can be passed to {@link #decode} many times. */
    Object buffer(byte[] bytes);

    Object decode(Object buffer) throws Exception;
}
