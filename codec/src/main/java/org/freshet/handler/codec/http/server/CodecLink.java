package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpServerCodec;

/** The codec in a handler's pipeline. Any thread. */
final class CodecLink {
    private volatile HttpServerCodec found;

    /**
     * The codec, or null if there was one and the connection does not speak HTTP any more.
     *
     * @throws IllegalStateException if there never was one
     */
    HttpServerCodec of(ChannelHandlerContext ctx) {
        HttpServerCodec codec = found;
        if (codec == null) {
            codec = ctx.getPipeline().get(HttpServerCodec.class);
            if (codec == null) {
                throw new IllegalStateException(
                        ctx.getName() + " needs an HttpServerCodec, and there is none in its pipeline");
            }
            found = codec;
        }
        return codec.isUpgraded() ? null : codec;
    }
}
