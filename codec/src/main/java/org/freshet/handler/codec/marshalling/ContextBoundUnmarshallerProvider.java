package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Makes an unmarshaller a decoder, keeps it as the attachment of the decoder's context, and uses it again. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ContextBoundUnmarshallerProvider extends DefaultUnmarshallerProvider {
    /** As {@link DefaultUnmarshallerProvider#DefaultUnmarshallerProvider}. */
    public ContextBoundUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        super(factory, config);
    }

    /** @throws IllegalStateException if the context has another attachment */
    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        Object attachment = ctx.getAttachment();
        if (attachment instanceof Unmarshaller unmarshaller) {
            return unmarshaller;
        }
        if (attachment != null) {
            throw new IllegalStateException("the context's attachment is no unmarshaller: " + attachment);
        }
        Unmarshaller unmarshaller = super.getUnmarshaller(ctx);
        ctx.setAttachment(unmarshaller);
        return unmarshaller;
    }
}
