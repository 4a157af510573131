package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Makes a new unmarshaller for each message. Any thread may use it. */
public class DefaultUnmarshallerProvider implements UnmarshallerProvider {
    private final MarshallerFactory factory;
    private final MarshallingConfiguration config;

    /**
     * @param config if it has no unmarshalling filter, a copy with the {@linkplain
     *     org.freshet.handler.codec.serialization.ClassFilters#standard() standard} one is used
     */
    public DefaultUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.config = StandardFilter.ensuredIn(Objects.requireNonNull(config, "config"));
    }

    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        return factory.createUnmarshaller(config);
    }
}
