package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;

/** Makes a marshaller a thread and uses it again. Pays off where few threads write many messages. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ThreadLocalMarshallerProvider implements MarshallerProvider {
    private final ThreadLocal<Marshaller> marshallers = new ThreadLocal<>();
    private final MarshallerFactory factory;
    private final MarshallingConfiguration config;

    public ThreadLocalMarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.config = Objects.requireNonNull(config, "config");
    }

    @Override
    public Marshaller getMarshaller(ChannelHandlerContext ctx) throws Exception {
        Marshaller marshaller = marshallers.get();
        if (marshaller == null) {
            marshaller = factory.createMarshaller(config);
            marshallers.set(marshaller);
        }
        return marshaller;
    }
}
