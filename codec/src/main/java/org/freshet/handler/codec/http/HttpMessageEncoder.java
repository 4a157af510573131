package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Encodes messages and chunks of HTTP/1, or of a protocol of the same form; anything else passes. A subclass writes the
 * start line.
 *
 * <p>A message that {@linkplain HttpMessage#isChunked() is chunked} and has no {@code Content-Length} gets {@code
 * Transfer-Encoding: chunked}, unless it has it; one that has a {@code Content-Length} loses the coding. A whole
 * message in another transfer coding, such as gzip, is sent as one chunk without {@code Content-Length}. The chunks that follow are
 * written accordingly, and a chunk that follows no such message as its content alone.
 *
 * <p>HTTP/1.0 has no chunks. Without a {@code Content-Length}, such a response lasts until the connection closes, and such a
 * request is an IllegalArgumentException. So is a {@code Transfer-Encoding} of which {@code chunked} is not the last.
 *
 * <p>What would break a head apart (CR, LF, NUL, characters past Latin-1) is an IllegalArgumentException before anything is
 * written, also where it was set unchecked.
 *
 * <p>Threading: the messages of one connection, and the chunks of one message, must be written one after the other; which
 * thread writes makes no difference.
 */
public abstract class HttpMessageEncoder extends OneToOneEncoder {
    /** Content up to this many bytes is copied behind the head, so that both are one buffer. */
    private static final int MAX_COPIED_BYTES = 1024;

    /** Room for a start line whose length is not known. */
    private static final int LINE_BYTES = 64;

    private static final byte[] END = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** The chunks of the message being written are framed. */
    private volatile boolean chunked;

    protected HttpMessageEncoder() {}

    /**
     * Writes the start line of a message, with its CR LF.
     *
     * @param buf grows as needed
     * @throws IllegalArgumentException if the line would hold what must not be sent
     */
    protected abstract void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception;

    /**
     * The length of what {@link #encodeInitialLine} would write, or -1 if it must be called to know.
     *
     * @throws IllegalArgumentException as that
     */
    int initialLineLength(HttpMessage message) {
        return -1;
    }

    /** Writes the start line into an array; returns the index behind it. Called if {@link #initialLineLength} is known. */
    int writeInitialLine(HttpMessage message, byte[] array, int at) {
        throw new UnsupportedOperationException("the length of the start line is not known");
    }

    /** @throws IllegalArgumentException if the text holds a character past Latin-1, or one that would end a line */
    protected static void encodeAscii(String s, ChannelBuffer buf) {
        HeaderSyntax.checkUncheckedValue("a start line", s);
        byte[] bytes = new byte[s.length()];
        HeadWriter.write(s, bytes, 0);
        buf.writeBytes(bytes);
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof HttpMessage) {
            return encodeMessage((HttpMessage) msg);
        }
        if (msg instanceof HttpChunk) {
            return encodeChunk((HttpChunk) msg);
        }
        return msg;
    }

    // ---- messages ----

    final ChannelBuffer encodeMessage(HttpMessage message) throws Exception {
        if (isSentInOneChunk(message)) {
            return encodeInOneChunk(message);
        }
        boolean framed = agreeOnFraming(message);
        ChannelBuffer content = message.getContent();
        if (framed && content.readable()) {
            throw new IllegalArgumentException("a chunked message must not have content of its own: " + content);
        }
        ChannelBuffer encoded = encodeHead(message, content);
        setChunked(framed);
        return encoded;
    }

    /** Whether the message is whole and in another transfer coding, so that it ends with its head and one chunk. */
    static boolean isSentInOneChunk(HttpMessage message) {
        return !message.isChunked() && HeaderStatics.isCoded(message) && !isOfVersion10(message);
    }

    /** RFC 9112 6.1: in another transfer coding, only chunks say where the content ends. The message stays a whole one. */
    private ChannelBuffer encodeInOneChunk(HttpMessage message) throws Exception {
        ChannelBuffer head;
        HttpHeaders.setTransferEncodingChunked(message);
        try {
            head = encodeHead(message, ChannelBuffers.EMPTY_BUFFER);
        } finally {
            HttpHeaders.removeTransferEncodingChunked(message);
        }
        chunked = true;
        ChannelBuffer content = message.getContent();
        ChannelBuffer chunk = content.readable() ? encodeChunk(new DefaultHttpChunk(content)) : content;
        return ChannelBuffers.wrappedBuffer(head, chunk, encodeChunk(HttpChunk.LAST_CHUNK));
    }

    /** The chunks that follow are written as their content alone. */
    final void leaveChunksUnframed() {
        setChunked(false);
    }

    /** Most messages change nothing here, and a volatile write costs more than the comparison. */
    private void setChunked(boolean chunked) {
        if (this.chunked != chunked) {
            this.chunked = chunked;
        }
    }

    /** Makes the headers say how the content is framed; returns whether by chunks. */
    private static boolean agreeOnFraming(HttpMessage message) {
        boolean coded = HttpHeaders.isTransferEncodingChunked(message);
        if (!message.isChunked() && !coded) {
            return false;
        }
        boolean length = HttpHeaders.isContentLengthSet(message);
        if (length || isOfVersion10(message)) {
            if (!length && message instanceof HttpRequest) {
                throw new IllegalArgumentException(
                        "HTTP/1.0 has no chunks, so this request needs a Content-Length or the version HTTP/1.1");
            }
            if (coded) {
                removeCoding(message);
            }
            return false;
        }
        if (coded && !HeaderStatics.isChunkedLast(message)) {
            throw new IllegalArgumentException("chunked must be the last of the codings, or readers find another end: "
                    + message.headers().getAll(HttpHeaders.Names.TRANSFER_ENCODING));
        }
        if (!coded) {
            HeaderStatics.appendChunked(message);
        }
        return true;
    }

    /** Chunks that were to follow still do. */
    private static void removeCoding(HttpMessage message) {
        HttpHeaders.removeTransferEncodingChunked(message);
        if (!message.getContent().readable()) {
            message.setChunked(true);
        }
    }

    static boolean isOfVersion10(HttpMessage message) {
        return HttpVersion.HTTP_1_0.equals(message.getProtocolVersion());
    }

    /** The head with the content: one buffer of the exact size if the content is short. */
    final ChannelBuffer encodeHead(HttpMessage message, ChannelBuffer content) throws Exception {
        int lineLength = initialLineLength(message);
        ChannelBuffer line = null;
        if (lineLength < 0) {
            line = ChannelBuffers.dynamicBuffer(LINE_BYTES);
            encodeInitialLine(line, message);
            lineLength = line.readableBytes();
        }
        int headLength = Math.addExact(lineLength, HeadWriter.length(message.headers())) + 2;
        int contentLength = content.readableBytes();
        boolean copied = contentLength <= MAX_COPIED_BYTES;
        byte[] array = new byte[copied ? headLength + contentLength : headLength];
        if (line == null) {
            writeInitialLine(message, array, 0);
        } else {
            line.getBytes(line.readerIndex(), array, 0, lineLength);
        }
        int end = HeadWriter.lineEnd(array, HeadWriter.write(message.headers(), array, lineLength));
        if (!copied) {
            return ChannelBuffers.wrappedBuffer(ChannelBuffers.wrappedBuffer(array), content);
        }
        content.getBytes(content.readerIndex(), array, end, contentLength);
        return ChannelBuffers.wrappedBuffer(array);
    }

    // ---- chunks ----

    private ChannelBuffer encodeChunk(HttpChunk chunk) {
        ChannelBuffer content = chunk.getContent();
        if (!chunked) {
            return content;
        }
        if (chunk.isLast()) {
            ChannelBuffer end = encodeEnd(chunk);
            chunked = false;
            return end;
        }
        int length = content.readableBytes();
        int digits = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 3) / 4;
        boolean copied = length <= MAX_COPIED_BYTES;
        byte[] array = new byte[digits + 2 + (copied ? length + 2 : 0)];
        for (int i = 0, rest = length; i < digits; i++, rest >>>= 4) {
            array[digits - 1 - i] = HEX[rest & 15];
        }
        int at = HeadWriter.lineEnd(array, digits);
        if (!copied) {
            ChannelBuffer size = ChannelBuffers.wrappedBuffer(array);
            return ChannelBuffers.wrappedBuffer(size, content, ChannelBuffers.wrappedBuffer(new byte[] {'\r', '\n'}));
        }
        content.getBytes(content.readerIndex(), array, at, length);
        HeadWriter.lineEnd(array, at + length);
        return ChannelBuffers.wrappedBuffer(array);
    }

    private static ChannelBuffer encodeEnd(HttpChunk chunk) {
        HttpHeaders trailer = chunk instanceof HttpChunkTrailer ? ((HttpChunkTrailer) chunk).trailingHeaders() : null;
        if (trailer == null || trailer.isEmpty()) {
            return ChannelBuffers.wrappedBuffer(END.clone());
        }
        byte[] array = new byte[3 + HeadWriter.length(trailer) + 2];
        array[0] = '0';
        HeadWriter.lineEnd(array, HeadWriter.write(trailer, array, HeadWriter.lineEnd(array, 1)));
        return ChannelBuffers.wrappedBuffer(array);
    }
}
