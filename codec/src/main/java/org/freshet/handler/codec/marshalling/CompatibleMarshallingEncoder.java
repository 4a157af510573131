package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/** Marshals each message without a length field, for peers that use JBoss Marshalling directly. */
@Sharable
public class CompatibleMarshallingEncoder extends OneToOneEncoder {
    private final MarshallerProvider provider;

    public CompatibleMarshallingEncoder(MarshallerProvider provider) {
        this.provider = Objects.requireNonNull(provider, "provider");
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(channel.getConfig().getBufferFactory());
        MarshallingEncoder.marshal(provider.getMarshaller(ctx), msg, buffer);
        return buffer;
    }
}
