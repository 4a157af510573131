package org.freshet.microbench.codec;

/** A pipeline with one library's object codec. */
interface ObjectEcho {
    /** Writes an object and returns the copy that comes back. */
    Object echo(Object message);
}
