package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Encodes messages and chunks of HTTP/1, or of a protocol with the same syntax. Anything else is passed on. A subclass
 * writes the start line.
 *
 * <p>A message that {@linkplain HttpMessage#isChunked() is chunked} gets {@code Transfer-Encoding: chunked}, unless it
 * has a {@code Content-Length}; then the coding is removed. A whole message in another transfer coding, such as gzip,
 * is sent as one chunk without {@code Content-Length}. The chunks that follow a message are framed accordingly. A chunk
 * that follows no such message is written without framing.
 *
 * <p>HTTP/1.0 has no chunks. Without a {@code Content-Length}, an HTTP/1.0 response lasts until the connection closes,
 * and an HTTP/1.0 request causes an IllegalArgumentException. So does a {@code Transfer-Encoding} in which
 * {@code chunked} isn't last.
 *
 * <p>Characters that could break a head apart (CR, LF, NUL, anything past Latin-1) cause an IllegalArgumentException
 * before anything is written, even if they were set unchecked.
 *
 * <p>Threading: the messages of one connection, and the chunks of one message, must be written one after the other, but
 * any thread may write them.
 */
public abstract class HttpMessageEncoder extends OneToOneEncoder {
    /** Content up to this many bytes is copied after the head, so that both are one buffer. */
    private static final int MAX_COPIED_BYTES = 1024;

    /** Initial size of the buffer for a start line of unknown length. */
    private static final int LINE_BYTES = 64;

    private static final byte[] END = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** The chunks of the message being written get framing. */
    private volatile boolean chunked;

    protected HttpMessageEncoder() {}

    /**
     * Writes the start line of a message, including its CR LF.
     *
     * @param buf grows as needed
     * @throws IllegalArgumentException if the line would contain characters that must not be sent
     */
    protected abstract void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception;

    /**
     * The length of the line that {@link #encodeInitialLine} would write, or -1 if it's only known after writing.
     *
     * @throws IllegalArgumentException if the line would contain characters that must not be sent
     */
    int initialLineLength(HttpMessage message) {
        return -1;
    }

    /** Writes the start line into an array, and returns the index after it. Only called if the length is known. */
    int writeInitialLine(HttpMessage message, byte[] array, int at) {
        throw new UnsupportedOperationException("the length of the start line is not known");
    }

    /** @throws IllegalArgumentException if the text contains a character past Latin-1, or one that would end a line */
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
            throw new IllegalArgumentException("a chunked message must not have content itself: " + content);
        }
        ChannelBuffer encoded = encodeHead(message, content);
        setChunked(framed);
        return encoded;
    }

    /** Whether the message is complete and in another transfer coding, so that it is sent as its head and one chunk. */
    static boolean isSentInOneChunk(HttpMessage message) {
        return !message.isChunked() && HeaderStatics.isCoded(message) && !isHttp10(message);
    }

    /**
     * RFC 9112 6.1: with another transfer coding, only chunks show where the content ends. The message itself stays
     * whole.
     */
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

    /** Chunks that follow are written without framing. */
    final void leaveChunksUnframed() {
        setChunked(false);
    }

    /** Skips the write if nothing changes, as for most messages: a volatile write costs more than the comparison. */
    private void setChunked(boolean chunked) {
        if (this.chunked != chunked) {
            this.chunked = chunked;
        }
    }

    /** Adjusts the headers to how the content is framed. Returns whether it is framed in chunks. */
    private static boolean agreeOnFraming(HttpMessage message) {
        boolean coded = HttpHeaders.isTransferEncodingChunked(message);
        if (!message.isChunked() && !coded) {
            return false;
        }
        boolean length = HttpHeaders.isContentLengthSet(message);
        if (length || isHttp10(message)) {
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
            throw new IllegalArgumentException("chunked must be the last transfer coding, or peers find another end: "
                    + message.headers().getAll(HttpHeaders.Names.TRANSFER_ENCODING));
        }
        if (!coded) {
            HeaderStatics.appendChunked(message);
        }
        return true;
    }

    /** Keeps the message chunked if its content is still to follow. */
    private static void removeCoding(HttpMessage message) {
        HttpHeaders.removeTransferEncodingChunked(message);
        if (!message.getContent().readable()) {
            message.setChunked(true);
        }
    }

    static boolean isHttp10(HttpMessage message) {
        return HttpVersion.HTTP_1_0.equals(message.getProtocolVersion());
    }

    /** Encodes the head with the content: into one buffer of the exact size if the content is short. */
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
