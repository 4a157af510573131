package org.freshet.buffer;

import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.Charset;

/** Encodes text to buffers and decodes it. Unmappable characters and malformed bytes are replaced, never reported. */
final class TextCodec {
    private TextCodec() {}

    static ChannelBuffer encode(ByteOrder order, CharSequence text, Charset charset) {
        // String has the fast encoders and returns an array of the exact size.
        return ChannelBuffers.wrappedBuffer(order, text.toString().getBytes(charset));
    }

    static ChannelBuffer encode(ByteOrder order, CharSequence text, int offset, int length, Charset charset) {
        Bounds.check(offset, length, text.length());
        return encode(order, text.subSequence(offset, offset + length), charset);
    }

    static ChannelBuffer encode(ByteOrder order, char[] text, int offset, int length, Charset charset) {
        return encode(order, CharBuffer.wrap(text, offset, length), charset);
    }

    static String decode(ChannelBuffer buffer, int index, int length, Charset charset) {
        Bounds.check(index, length, buffer.capacity());
        if (buffer.hasArray()) {
            return new String(buffer.array(), buffer.arrayOffset() + index, length, charset);
        }
        byte[] bytes = new byte[length];
        buffer.getBytes(index, bytes);
        return new String(bytes, charset);
    }
}
