package org.freshet.handler.codec.rtsp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Encodes RTSP responses; see {@link RtspMessageEncoder}. */
@Sharable
public class RtspResponseEncoder extends RtspMessageEncoder {
    public RtspResponseEncoder() {}

    /**
     * @throws IllegalArgumentException if the status doesn't have three digits, or a part of the line contains characters that
     * would end it
     */
    @Override
    protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
        HttpResponse response = (HttpResponse) message;
        int code = response.getStatus().getCode();
        if (code < 100 || code > 999) {
            throw new IllegalArgumentException("status code not in 100..999: " + code);
        }
        encodeAscii(HeaderSyntax.checkTarget(response.getProtocolVersion().getText()), buf);
        encodeAscii(" " + code + " ", buf);
        encodeAscii(HeaderSyntax.checkReason(response.getStatus().getReasonPhrase()), buf);
        buf.writeByte('\r');
        buf.writeByte('\n');
    }
}
