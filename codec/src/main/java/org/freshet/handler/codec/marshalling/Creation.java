package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.util.Objects;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/**
 * Creates marshallers or unmarshallers from the library's factory and configuration, which are checked once. Any thread
 * may call it.
 */
interface Creation<T> {
    T create() throws IOException;

    static Creation<Marshaller> ofMarshallers(MarshallerFactory factory, MarshallingConfiguration config) {
        Objects.requireNonNull(factory, "factory");
        Objects.requireNonNull(config, "config");
        return () -> factory.createMarshaller(config);
    }

    /** Creates unmarshallers with a class filter. The configuration is copied. */
    static Creation<Unmarshaller> ofUnmarshallers(MarshallerFactory factory, MarshallingConfiguration config) {
        Objects.requireNonNull(factory, "factory");
        MarshallingConfiguration guarded = ClassGuard.guarded(Objects.requireNonNull(config, "config"));
        return () -> factory.createUnmarshaller(guarded);
    }

    /** Does the same, but creates one per thread and reuses it. */
    default Creation<T> oncePerThread() {
        ThreadLocal<T> created = new ThreadLocal<>();
        return () -> {
            if (created.get() == null) {
                created.set(create());
            }
            return created.get();
        };
    }
}
