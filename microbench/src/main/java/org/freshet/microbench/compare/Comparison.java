package org.freshet.microbench.compare;

import java.util.List;

/** One thing that servers are compared by; {@link Main} knows them all. */
interface Comparison {
    /** Its name on the command line and of its files. */
    String name();

    /** The question it answers, one line. */
    String question();

    /** What can be chosen, besides what {@link Rounds#OPTIONS} offers for all. An option of the same name replaces that one. */
    List<Option> options();

    /** The flags that size a server's heap of at most {@code mib}; one that does not resize makes least noise. */
    default List<String> heapFlags(int mib) {
        return List.of("-Xms" + mib + "m", "-Xmx" + mib + "m");
    }

    /** What is to be measured; nothing runs yet. */
    Plan plan(Options options) throws UsageException;
}
