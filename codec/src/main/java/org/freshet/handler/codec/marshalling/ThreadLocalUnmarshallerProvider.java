package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Creates one unmarshaller per thread and reuses it: for a few threads that read many messages. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ThreadLocalUnmarshallerProvider implements UnmarshallerProvider {
    private final Creation<Unmarshaller> unmarshallers;

    /**
     * @param config copied; {@link org.freshet.handler.codec.serialization.ClassFilters#defaults()} decides everything
     *     that its unmarshalling filter leaves undecided, or everything if it has no filter
     */
    public ThreadLocalUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        unmarshallers = Creation.ofUnmarshallers(factory, config).oncePerThread();
    }

    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        return unmarshallers.create();
    }
}
