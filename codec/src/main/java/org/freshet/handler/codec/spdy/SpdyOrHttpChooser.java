package org.freshet.handler.codec.spdy;

import javax.net.ssl.SSLEngine;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.handler.HandlersBelow;

/**
 * Replaces itself with the handlers for SPDY or HTTP/1, as chosen by the client through ALPN. Add it after a server's
 * {@link SslHandler}. The TLS context must offer {@code spdy/3.1} and {@code http/1.1}.
 *
 * <p>Threading: runs on the channel's I/O thread. Belongs to one pipeline.
 */
public abstract class SpdyOrHttpChooser implements ChannelUpstreamHandler {
    private final int maxSpdyContentLength;
    private final int maxHttpContentLength;

    /** The negotiated protocol. */
    public enum SelectedProtocol {
        SpdyVersion3_1("spdy/3.1"),
        HttpVersion1_1("http/1.1"),
        HttpVersion1_0("http/1.0"),
        /** Not negotiated yet. */
        None("");

        private final String alpnName;

        SelectedProtocol(String alpnName) {
            this.alpnName = alpnName;
        }
    }

    /**
     * @param maxSpdyContentLength the most content in a SPDY request, in bytes, 1 or more
     * @param maxHttpContentLength the same for HTTP/1
     */
    protected SpdyOrHttpChooser(int maxSpdyContentLength, int maxHttpContentLength) {
        this.maxSpdyContentLength = maxSpdyContentLength;
        this.maxHttpContentLength = maxHttpContentLength;
    }

    /**
     * Returns the negotiated protocol. Called for each event until it doesn't return {@link SelectedProtocol#None}. The default
     * asks the engine for the ALPN protocol: a client without ALPN uses HTTP/1.1.
     */
    protected SelectedProtocol getProtocol(SSLEngine engine) {
        String agreed = engine.getApplicationProtocol();
        if (agreed == null) {
            return SelectedProtocol.None;
        }
        for (SelectedProtocol protocol : SelectedProtocol.values()) {
            if (protocol.alpnName.equals(agreed) && protocol != SelectedProtocol.None) {
                return protocol;
            }
        }
        return SelectedProtocol.HttpVersion1_1;
    }

    /** @throws IllegalStateException if the pipeline has no {@link SslHandler} before this handler */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        SslHandler tls = HandlersBelow.nearest(ctx, SslHandler.class);
        if (tls == null) {
            throw new IllegalStateException("the pipeline has no SslHandler to negotiate the protocol");
        }
        SelectedProtocol protocol = getProtocol(tls.getEngine());
        if (protocol == SelectedProtocol.None) {
            ctx.sendUpstream(e);
            return;
        }
        if (protocol == SelectedProtocol.SpdyVersion3_1) {
            addSpdyHandlers(ctx, SpdyVersion.SPDY_3_1);
        } else {
            addHttpHandlers(ctx);
        }
        ctx.getPipeline().remove(this);
        ctx.sendUpstream(e);
    }

    /** Appends the SPDY handlers to the pipeline. The last one answers requests, and is named {@code requests}. */
    protected void addSpdyHandlers(ChannelHandlerContext ctx, SpdyVersion version) {
        append(
                ctx.getPipeline(),
                createHttpRequestHandlerForSpdy(),
                new SpdyFrameCodec(version),
                new SpdySessionHandler(version, true),
                new SpdyHttpCodec(version, maxSpdyContentLength),
                new SpdyHttpResponseStreamIdHandler());
    }

    /** Appends the HTTP/1 handlers to the pipeline. The last one answers requests, and is named {@code requests}. */
    protected void addHttpHandlers(ChannelHandlerContext ctx) {
        append(
                ctx.getPipeline(),
                createHttpRequestHandlerForHttp(),
                new HttpServerCodec(),
                new HttpChunkAggregator(maxHttpContentLength));
    }

    /** Adds the codecs, each named after its class, then the handler that answers requests. */
    private static void append(ChannelPipeline pipeline, ChannelHandler requests, ChannelHandler... codecs) {
        for (ChannelHandler codec : codecs) {
            pipeline.addLast(codec.getClass().getName(), codec);
        }
        pipeline.addLast("requests", requests);
    }

    /** Creates the handler for complete HTTP/1 requests. */
    protected abstract ChannelUpstreamHandler createHttpRequestHandlerForHttp();

    /** Creates the handler for complete SPDY requests. The default is the one for HTTP. */
    protected ChannelUpstreamHandler createHttpRequestHandlerForSpdy() {
        return createHttpRequestHandlerForHttp();
    }
}
