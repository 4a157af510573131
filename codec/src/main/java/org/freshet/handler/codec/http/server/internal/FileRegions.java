package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentEncoder;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.ssl.SslHandler;

/** Decides how a file is sent. Stateless; any thread. */
public final class FileRegions {
    private FileRegions() {}

    /** Whether nothing but the transport needs the bytes of a file. */
    public static boolean mayBeUsed(Channel channel, HttpResponse head) {
        ChannelPipeline pipeline = channel.getPipeline();
        if (!takesRegions(channel, pipeline)) {
            return false;
        }
        HttpContentEncoder encoder = pipeline.get(HttpContentEncoder.class);
        if (encoder instanceof SelectsContent selective) {
            return !selective.mayCompress(head);
        }
        boolean left = head.getStatus().getCode() == 206 || head.headers().contains(Names.CONTENT_ENCODING);
        return encoder == null || encoder instanceof HttpContentCompressor && left;
    }

    /** A stream reads a file only as far as its client's window is open, with TLS below it or not. */
    private static boolean takesRegions(Channel channel, ChannelPipeline pipeline) {
        return channel instanceof Exchanges.Carrier
                || channel.getConfig() instanceof SocketChannelConfig && pipeline.get(SslHandler.class) == null;
    }
}
