package org.freshet.handler.codec.socks;

import java.util.function.Supplier;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.replay.ReplayingDecoder;

/**
 * The common part of the SOCKS decoders: each decodes one message and removes itself. If the message is malformed, the
 * channel is closed, because there's no telling what the following bytes mean.
 *
 * @param <S> the states of the decoder
 */
abstract class SocksDecoder<S extends Enum<S>> extends ReplayingDecoder<S> {
    SocksDecoder(S initialState) {
        super(initialState);
    }

    /** Ends decoding. Bytes that follow go to the next handler, after the message. */
    final Object finish(ChannelHandlerContext ctx, SocksMessage message) {
        ctx.getPipeline().remove(this);
        return message;
    }

    /**
     * Ends decoding with a message created from the received fields. If its constructor refuses them, the message is
     * malformed.
     */
    final Object finish(ChannelHandlerContext ctx, Supplier<SocksMessage> message) throws CorruptedFrameException {
        SocksMessage made;
        try {
            made = message.get();
        } catch (IllegalArgumentException e) {
            CorruptedFrameException malformed =
                    new CorruptedFrameException("malformed SOCKS message: " + e.getMessage(), e);
            ctx.getChannel().close(CloseReason.of(CloseReason.Kind.PROTOCOL, null, malformed));
            throw malformed;
        }
        return finish(ctx, made);
    }
}
