package org.freshet.handler.codec.socks;

import java.util.function.Supplier;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.replay.ReplayingDecoder;

/**
 * What the decoders of SOCKS have in common: each decodes one message, and removes itself. If the message is malformed, the
 * channel is closed, since it is unknown what the peer means by what follows.
 *
 * @param <S> the states of the decoder
 */
abstract class SocksDecoder<S extends Enum<S>> extends ReplayingDecoder<S> {
    SocksDecoder(S initialState) {
        super(initialState);
    }

    /** Ends the decoding: bytes that follow go to the next handler, after the message. */
    final Object finish(ChannelHandlerContext ctx, SocksMessage message) {
        ctx.getPipeline().remove(this);
        return message;
    }

    /** As the other, with a message that is made of what was received, and refuses what cannot be in one. */
    final Object finish(ChannelHandlerContext ctx, Supplier<SocksMessage> message) throws CorruptedFrameException {
        SocksMessage made;
        try {
            made = message.get();
        } catch (IllegalArgumentException e) {
            CorruptedFrameException malformed =
                    new CorruptedFrameException("malformed message of SOCKS: " + e.getMessage(), e);
            ctx.getChannel().close(CloseReason.of(CloseReason.Kind.PROTOCOL, null, malformed));
            throw malformed;
        }
        return finish(ctx, made);
    }
}
