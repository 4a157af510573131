package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Makes an unmarshaller a thread and uses it again. Pays off where few threads read many messages. */
public class ThreadLocalUnmarshallerProvider implements UnmarshallerProvider {
    private final ThreadLocal<Unmarshaller> unmarshallers = new ThreadLocal<>();
    private final MarshallerFactory factory;
    private final MarshallingConfiguration config;

    /**
     * @param config if it has no unmarshalling filter, a copy with the {@linkplain
     *     org.freshet.handler.codec.serialization.ClassFilters#standard() standard} one is used
     */
    public ThreadLocalUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.config = StandardFilter.ensuredIn(Objects.requireNonNull(config, "config"));
    }

    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        Unmarshaller unmarshaller = unmarshallers.get();
        if (unmarshaller == null) {
            unmarshaller = factory.createUnmarshaller(config);
            unmarshallers.set(unmarshaller);
        }
        return unmarshaller;
    }
}
