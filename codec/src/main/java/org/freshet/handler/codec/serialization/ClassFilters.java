package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;

/** Class filters for other ways of deserializing than the decoders of this package. */
public final class ClassFilters {
    private ClassFilters() {}

    /**
     * What {@link ObjectDecoder} does without a filter of its own: allows what {@code
     * -Dorg.freshet.serialization.filter} allows (read when this is called), and values and collections of the JDK, down
     * to a depth of 500; refuses everything else, leaves nothing undecided. Array lengths, bytes and the cost of
     * collections are not limited, since the filter does not know the object's bytes. Any thread may use it.
     */
    public static ObjectInputFilter defaults() {
        SerialPolicy policy = SerialPolicy.ofProperties(ClassResolvers.cacheDisabled(null));
        return info -> new SerialFilter(policy, null, Integer.MAX_VALUE, ObjectInputFilter.Config.getSerialFilter())
                .checkInput(info);
    }
}
