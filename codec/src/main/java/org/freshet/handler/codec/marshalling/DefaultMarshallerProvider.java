package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;

/** Creates a marshaller for each message. Any thread may use it. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class DefaultMarshallerProvider implements MarshallerProvider {
    private final Creation<Marshaller> marshallers;

    public DefaultMarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        marshallers = Creation.ofMarshallers(factory, config);
    }

    @Override
    public Marshaller getMarshaller(ChannelHandlerContext ctx) throws Exception {
        return marshallers.create();
    }
}
