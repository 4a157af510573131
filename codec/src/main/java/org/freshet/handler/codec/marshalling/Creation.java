package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.util.Objects;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** How a provider creates what it provides: the library's factory and configuration, checked once. Any thread. */
interface Creation<T> {
    T create() throws IOException;

    static Creation<Marshaller> ofMarshallers(MarshallerFactory factory, MarshallingConfiguration config) {
        Objects.requireNonNull(factory, "factory");
        Objects.requireNonNull(config, "config");
        return () -> factory.createMarshaller(config);
    }

    /** Of unmarshallers that refuse classes; the configuration is copied. */
    static Creation<Unmarshaller> ofUnmarshallers(MarshallerFactory factory, MarshallingConfiguration config) {
        Objects.requireNonNull(factory, "factory");
        MarshallingConfiguration guarded = ClassGuard.guarded(Objects.requireNonNull(config, "config"));
        return () -> factory.createUnmarshaller(guarded);
    }

    /** The same, but each thread creates one and gets it again. */
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
