package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Marshaller;

/** Provides the marshaller for an encoder. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public interface MarshallerProvider {
    /**
     * @param ctx the encoder's context
     * @return a marshaller that has not been started. It must not be used elsewhere until the encoder has finished it;
     *     the encoder does so before it returns.
     */
    Marshaller getMarshaller(ChannelHandlerContext ctx) throws Exception;
}
