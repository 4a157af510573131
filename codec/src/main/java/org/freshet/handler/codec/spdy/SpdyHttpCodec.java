package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/** Combines {@link SpdyHttpDecoder} and {@link SpdyHttpEncoder}. Add it after {@link SpdySessionHandler}. */
@ActsOn(EventKind.CLOSED)
public class SpdyHttpCodec implements ChannelUpstreamHandler, ChannelDownstreamHandler {
    private final SpdyHttpDecoder decoder;
    private final SpdyHttpEncoder encoder;

    /** @param maxContentLength the most content in a received message, in bytes, 1 or more */
    public SpdyHttpCodec(SpdyVersion spdyVersion, int maxContentLength) {
        decoder = new SpdyHttpDecoder(spdyVersion, maxContentLength);
        encoder = new SpdyHttpEncoder(spdyVersion);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        decoder.handleUpstream(ctx, evt);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        decoder.forgetIfReset(ctx, evt);
        encoder.handleDownstream(ctx, evt);
    }
}
