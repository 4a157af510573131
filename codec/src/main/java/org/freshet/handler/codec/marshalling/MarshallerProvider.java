package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Marshaller;

/** Gives the encoders their marshaller. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public interface MarshallerProvider {
    /**
     * @param ctx the encoder's
     * @return a marshaller that is not started and not used elsewhere until the encoder has finished it, which it does
     *     before it returns
     */
    Marshaller getMarshaller(ChannelHandlerContext ctx) throws Exception;
}
