package org.freshet.handler.codec.marshalling;

import org.freshet.channel.ChannelHandlerContext;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** Creates one unmarshaller per decoder and reuses it. Keeps it in the attachment of the decoder's context. */
@SuppressWarnings("exports") // a module that uses this requires the library itself
public class ContextBoundUnmarshallerProvider extends DefaultUnmarshallerProvider {
    /** Has the same parameters as {@link DefaultUnmarshallerProvider#DefaultUnmarshallerProvider}. */
    public ContextBoundUnmarshallerProvider(MarshallerFactory factory, MarshallingConfiguration config) {
        super(factory, config);
    }

    /** @throws IllegalStateException if the context has a different attachment */
    @Override
    public Unmarshaller getUnmarshaller(ChannelHandlerContext ctx) throws Exception {
        Object attachment = ctx.getAttachment();
        if (attachment instanceof Unmarshaller unmarshaller) {
            return unmarshaller;
        }
        if (attachment != null) {
            throw new IllegalStateException("the context's attachment is not an unmarshaller: " + attachment);
        }
        Unmarshaller unmarshaller = super.getUnmarshaller(ctx);
        ctx.setAttachment(unmarshaller);
        return unmarshaller;
    }
}
