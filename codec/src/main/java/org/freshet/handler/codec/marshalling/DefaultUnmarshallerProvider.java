package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Makes a new unmarshaller for each message. Any thread may use it. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class DefaultUnmarshallerProvider implements UnmarshallerProvider {
    private final MarshallerFactory factory;
    private final MarshallingConfiguration config;

    /**
     * @param config copied; what its unmarshalling filter leaves undecided, or everything if it has none, is decided
     *     by {@link org.freshet.handler.codec.serialization.ClassFilters#standard()}
     */
    public DefaultUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.config = ClassGuard.guarded(Objects.requireNonNull(config, "config"));
    }

    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        return factory.createUnmarshaller(config);
    }
}
