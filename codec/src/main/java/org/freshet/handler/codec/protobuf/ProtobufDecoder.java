package org.freshet.handler.codec.protobuf;

import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneDecoder;

/**
 * Decodes a {@link ChannelBuffer} that holds one protobuf message. Other messages pass through. On a stream, put
 * {@link ProtobufVarint32FrameDecoder} or a length-based frame decoder first.
 *
 * <p>If the bytes are not a message of the type, an {@code exceptionCaught} event with an
 * {@link com.google.protobuf.InvalidProtocolBufferException} is fired. Protobuf itself limits how deep messages nest.
 *
 * <pre>{@code
 * pipeline.addLast("frames", new ProtobufVarint32FrameDecoder());
 * pipeline.addLast("decoder", new ProtobufDecoder(MyMessage.getDefaultInstance()));
 * pipeline.addLast("lengths", new ProtobufVarint32LengthFieldPrepender());
 * pipeline.addLast("encoder", new ProtobufEncoder());
 * }</pre>
 */
@SuppressWarnings("exports") // a module that uses this requires the library itself
@Sharable
public class ProtobufDecoder extends OneToOneDecoder {
    private final Parser<? extends MessageLite> parser;
    private final ExtensionRegistryLite extensions;

    /** Decodes without extensions. */
    public ProtobufDecoder(MessageLite prototype) {
        this(prototype, null);
    }

    /**
     * @param prototype any message of the type to decode
     * @param extensionRegistry the extensions to decode, or null for none
     */
    public ProtobufDecoder(MessageLite prototype, ExtensionRegistry extensionRegistry) {
        this.parser = Objects.requireNonNull(prototype, "prototype").getParserForType();
        this.extensions = extensionRegistry != null ? extensionRegistry : ExtensionRegistryLite.getEmptyRegistry();
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        return msg instanceof ChannelBuffer bytes ? parser.parseFrom(bytes.toByteBuffer(), extensions) : msg;
    }
}
