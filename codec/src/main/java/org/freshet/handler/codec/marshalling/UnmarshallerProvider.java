package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.Unmarshaller;

/** Provides the unmarshaller for a decoder. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public interface UnmarshallerProvider {
    /**
     * @param ctx the decoder's context
     * @return an unmarshaller that has not been started; it decides which classes to accept. It must not be used
     *     elsewhere until the decoder has finished it; the decoder does so before it returns.
     */
    Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception;
}
