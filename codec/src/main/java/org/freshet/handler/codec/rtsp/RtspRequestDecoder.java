package org.freshet.handler.codec.rtsp;

import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;

/** Decodes RTSP requests; see {@link RtspMessageDecoder}. */
@ChannelHandler.Borrower
public class RtspRequestDecoder extends RtspMessageDecoder {
    /** See {@link RtspMessageDecoder#RtspMessageDecoder()}. */
    public RtspRequestDecoder() {}

    /** See {@link RtspMessageDecoder#RtspMessageDecoder(int, int, int)}. */
    public RtspRequestDecoder(int maxInitialLineLength, int maxHeaderSize, int maxContentLength) {
        super(maxInitialLineLength, maxHeaderSize, maxContentLength);
    }

    /** See {@link RtspMessageDecoder#RtspMessageDecoder(HttpLimits, boolean)}. */
    public RtspRequestDecoder(HttpLimits limits, boolean interleaved) {
        super(limits, interleaved);
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) throws Exception {
        return new DefaultHttpRequest(
                RtspVersions.valueOf(initialLine[2]), RtspMethods.valueOf(initialLine[0]), initialLine[1]);
    }

    @Override
    protected boolean isDecodingRequest() {
        return true;
    }
}
