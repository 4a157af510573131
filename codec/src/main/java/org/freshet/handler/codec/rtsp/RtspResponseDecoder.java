package org.freshet.handler.codec.rtsp;

import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponseStatus;

/** Decodes RTSP responses; see {@link RtspMessageDecoder}. */
@ChannelHandler.Borrower
public class RtspResponseDecoder extends RtspMessageDecoder {
    /** See {@link RtspMessageDecoder#RtspMessageDecoder()}. */
    public RtspResponseDecoder() {}

    /** See {@link RtspMessageDecoder#RtspMessageDecoder(int, int, int)}. */
    public RtspResponseDecoder(int maxInitialLineLength, int maxHeaderSize, int maxContentLength) {
        super(maxInitialLineLength, maxHeaderSize, maxContentLength);
    }

    /** See {@link RtspMessageDecoder#RtspMessageDecoder(HttpLimits, boolean)}. */
    public RtspResponseDecoder(HttpLimits limits, boolean interleaved) {
        super(limits, interleaved);
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) throws Exception {
        HttpResponseStatus status = new HttpResponseStatus(Integer.parseInt(initialLine[1]), initialLine[2]);
        return new DefaultHttpResponse(RtspVersions.valueOf(initialLine[0]), status);
    }

    @Override
    protected boolean isDecodingRequest() {
        return false;
    }
}
