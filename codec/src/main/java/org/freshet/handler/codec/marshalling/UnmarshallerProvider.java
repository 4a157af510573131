package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Unmarshaller;

/** Gives the decoders their unmarshaller. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public interface UnmarshallerProvider {
    /**
     * @param ctx the decoder's
     * @return an unmarshaller that is not started and not used elsewhere until the decoder has finished it, which it does
     *     before it returns; it decides itself which classes to accept
     */
    Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception;
}
