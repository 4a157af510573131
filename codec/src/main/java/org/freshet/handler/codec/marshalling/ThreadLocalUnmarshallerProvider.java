package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Makes an unmarshaller a thread and uses it again. Pays off where few threads read many messages. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ThreadLocalUnmarshallerProvider implements UnmarshallerProvider {
    private final ThreadLocal<Unmarshaller> unmarshallers = new ThreadLocal<>();
    private final MarshallerFactory factory;
    private final MarshallingConfiguration config;

    /**
     * @param config copied; what its unmarshalling filter leaves undecided, or everything if it has none, is decided
     *     by {@link org.freshet.handler.codec.serialization.ClassFilters#standard()}
     */
    public ThreadLocalUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.config = ClassGuard.guarded(Objects.requireNonNull(config, "config"));
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
