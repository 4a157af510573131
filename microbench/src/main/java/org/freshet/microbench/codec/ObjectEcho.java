package org.freshet.microbench.codec;

/** A pipeline of one library's object codec. */
interface ObjectEcho {
    /** Writes an object and returns the copy that comes back. */
    Object echo(Object message);
}
