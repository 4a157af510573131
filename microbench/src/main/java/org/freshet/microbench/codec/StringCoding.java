package org.freshet.microbench.codec;

/** The string codec of one library without its pipeline. */
interface StringCoding {
    /** Returns a buffer of the text's bytes. */
    Object encode(String text) throws Exception;

    /** Makes a buffer that {@link #decode} takes again and again. */
    Object buffer(byte[] bytes);

    Object decode(Object buffer) throws Exception;
}
