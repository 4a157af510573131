package org.freshet.microbench.compare;

import java.util.List;

/** One kind of comparison between servers; {@link Main} lists them all. */
interface Comparison {
    /** The name on the command line and in file names. */
    String name();

    /** The question it answers, in one line. */
    String question();

    /** Its options, besides the common {@link Rounds#OPTIONS}. An option with the same name replaces the common one. */
    List<Option> options();

    /** Returns the flags for a server's heap of at most {@code mib}; a heap of fixed size causes the least noise. */
    default List<String> heapFlags(int mib) {
        return List.of("-Xms" + mib + "m", "-Xmx" + mib + "m");
    }

    /** Returns the measurements to make; nothing runs yet. */
    Plan plan(Options options) throws UsageException;
}
