package org.freshet.handler.codec.rtsp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Encodes RTSP requests; see {@link RtspMessageEncoder}. */
@Sharable
public class RtspRequestEncoder extends RtspMessageEncoder {
    public RtspRequestEncoder() {}

    /** @throws IllegalArgumentException if a part of the line is empty or contains characters that would end it */
    @Override
    protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
        HttpRequest request = (HttpRequest) message;
        String uri = HeaderSyntax.checkTarget(request.getUri());
        if (uri.isEmpty()) {
            throw new IllegalArgumentException("an RTSP request needs a URI, or * for the whole server");
        }
        encodeAscii(
                HeaderSyntax.checkToken("a method's name", request.getMethod().getName()), buf);
        buf.writeByte(' ');
        encodeAscii(uri, buf);
        buf.writeByte(' ');
        encodeAscii(HeaderSyntax.checkTarget(request.getProtocolVersion().getText()), buf);
        buf.writeByte('\r');
        buf.writeByte('\n');
    }
}
