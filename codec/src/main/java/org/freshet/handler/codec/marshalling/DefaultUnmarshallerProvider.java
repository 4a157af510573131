package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Creates an unmarshaller for each message. Any thread may use it. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class DefaultUnmarshallerProvider implements UnmarshallerProvider {
    private final Creation<Unmarshaller> unmarshallers;

    /**
     * @param config copied; {@link org.freshet.handler.codec.serialization.ClassFilters#defaults()} decides everything
     *     that its unmarshalling filter leaves undecided, or everything if it has no filter
     */
    public DefaultUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        unmarshallers = Creation.ofUnmarshallers(factory, config);
    }

    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        return unmarshallers.create();
    }
}
