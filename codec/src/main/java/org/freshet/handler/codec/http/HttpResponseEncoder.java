package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.internal.handler.MessagePart;

/**
 * Encodes responses; see {@link HttpMessageEncoder}. If a response or a chunk of one is refused, for example because of a
 * write limit, the connection is closed: the client would take what follows for it.
 */
public class HttpResponseEncoder extends HttpMessageEncoder {
    public HttpResponseEncoder() {}

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        super.handleDownstream(ctx, evt);
        if (evt instanceof MessageEvent write && isPart(write.getMessage())) {
            Throwable cause = write.getFuture().getCause();
            if (MessagePart.leavesGap(cause)) {
                MessagePart.end(ctx, cause);
            }
        }
    }

    private static boolean isPart(Object message) {
        return message instanceof HttpResponse || message instanceof HttpChunk;
    }

    @Override
    protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
        HttpResponse response = (HttpResponse) message;
        byte[] line = new byte[lineLength(response)];
        writeInitialLine(message, line, 0);
        buf.writeBytes(line);
    }

    @Override
    int initialLineLength(HttpMessage message) {
        boolean own = getClass() == HttpResponseEncoder.class || this instanceof AnswerEncoder;
        return own ? lineLength((HttpResponse) message) : -1;
    }

    private static int lineLength(HttpResponse response) {
        int version = versionLength(response.getProtocolVersion());
        HttpResponseStatus status = response.getStatus();
        byte[] lineEnd = status.lineEnd();
        if (lineEnd != null) {
            return version + lineEnd.length;
        }
        if (status.getCode() < 100 || status.getCode() > 999) {
            throw new IllegalArgumentException("a status code must have three digits: " + status.getCode());
        }
        return version + HeaderSyntax.checkReason(status.getReasonPhrase()).length() + 7;
    }

    private static int versionLength(HttpVersion version) {
        String text = version.getText();
        boolean isKnown = version == HttpVersion.HTTP_1_1 || version == HttpVersion.HTTP_1_0;
        return isKnown ? text.length() : HeaderSyntax.checkTarget(text).length();
    }

    @Override
    int writeInitialLine(HttpMessage message, byte[] array, int from) {
        HttpResponse response = (HttpResponse) message;
        int at = HeadWriter.write(response.getProtocolVersion().getText(), array, from);
        byte[] lineEnd = response.getStatus().lineEnd();
        if (lineEnd != null) {
            System.arraycopy(lineEnd, 0, array, at, lineEnd.length);
            return at + lineEnd.length;
        }
        array[at++] = ' ';
        at = HeadWriter.write(Integer.toString(response.getStatus().getCode()), array, at);
        array[at++] = ' ';
        return HeadWriter.lineEnd(array, HeadWriter.write(response.getStatus().getReasonPhrase(), array, at));
    }
}
