package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;

/** Creates one marshaller per thread and reuses it: for a few threads that write many messages. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ThreadLocalMarshallerProvider implements MarshallerProvider {
    private final Creation<Marshaller> marshallers;

    public ThreadLocalMarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        marshallers = Creation.ofMarshallers(factory, config).oncePerThread();
    }

    @Override
    public Marshaller getMarshaller(ChannelHandlerContext ctx) throws Exception {
        return marshallers.create();
    }
}
