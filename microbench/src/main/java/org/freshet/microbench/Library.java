package org.freshet.microbench;

/**
 * The library whose code a benchmark runs. A fork uses only one library, so that it is compiled as in a separate
 * program.
 */
public enum Library {
    FRESHET,
    NETTY3,
    NETTY4
}
