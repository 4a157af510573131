package org.freshet.microbench;

/** Whose code a benchmark runs. A fork sees one library only, so that it is compiled as in a program of its own. */
public enum Library {
    FRESHET,
    NETTY3,
    NETTY4
}
