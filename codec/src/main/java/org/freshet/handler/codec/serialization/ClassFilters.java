package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;

/** Class filters for deserializing by other means than the decoders of this package. */
public final class ClassFilters {
    private ClassFilters() {}

    /**
     * Returns the filter that {@link ObjectDecoder} uses if you give it none. It allows the classes matching
     * {@code -Dorg.freshet.serialization.filter} (read when this is called) and the JDK's values and collections, to a
     * depth of 500. It refuses all others and leaves nothing undecided. It doesn't limit array lengths, bytes and the
     * cost of collections, because it doesn't know the object's bytes. Any thread may use it.
     */
    public static ObjectInputFilter defaults() {
        SerialPolicy policy = SerialPolicy.ofProperties(ClassResolvers.cacheDisabled(null));
        return info -> new SerialFilter(policy, null, Integer.MAX_VALUE, ObjectInputFilter.Config.getSerialFilter())
                .checkInput(info);
    }
}
