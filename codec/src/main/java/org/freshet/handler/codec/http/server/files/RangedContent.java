package org.freshet.handler.codec.http.server.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.server.files.ByteRanges.Range;
import org.freshet.handler.codec.http.server.internal.FileBody;
import org.freshet.handler.codec.http.server.internal.FileBody.Part;

/**
 * The part of an open file that a response contains: all of it, one range, or several ranges with the heads required by
 * {@code multipart/byteranges} (RFC 9110 14.6).
 *
 * <p>Immutable, but owns the file until {@link #close} or {@link #readAll} is called, or a {@link #toBody body} is
 * closed.
 */
final class RangedContent {
    private final FileChannel file;
    private final List<Part> parts;
    private final long length;

    private RangedContent(FileChannel file, List<Part> parts) {
        this.file = file;
        this.parts = parts;
        long sum = 0;
        for (Part part : parts) {
            sum += part.head().readableBytes() + part.length();
        }
        length = sum;
    }

    static RangedContent of(FileChannel file, long position, long length) {
        return new RangedContent(file, List.of(new Part(ChannelBuffers.EMPTY_BUFFER, position, length)));
    }

    /**
     * @param size the size of the whole content
     * @param boundary see {@link #newBoundary}
     */
    static RangedContent ofParts(FileChannel file, List<Range> ranges, String type, long size, String boundary) {
        List<Part> parts = new ArrayList<>();
        for (Range range : ranges) {
            String head = (parts.isEmpty() ? "--" : "\r\n--") + boundary + "\r\nContent-Type: " + type
                    + "\r\nContent-Range: " + contentRange(range, size) + "\r\n\r\n";
            parts.add(new Part(text(head), range.first(), range.length()));
        }
        parts.add(new Part(text("\r\n--" + boundary + "--\r\n"), 0, 0));
        return new RangedContent(file, parts);
    }

    static String contentRange(Range range, long size) {
        return "bytes " + range.first() + '-' + range.last() + '/' + size;
    }

    /** Random, so that it cannot be put into a file on purpose. */
    static String newBoundary() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    }

    private static ChannelBuffer text(String text) {
        return ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    /** In bytes, including the heads of parts. */
    long length() {
        return length;
    }

    /** Reads all of the content, and closes the file. */
    ChannelBuffer readAll() throws IOException {
        try (file) {
            byte[] all = new byte[Math.toIntExact(length)];
            int at = 0;
            for (Part part : parts) {
                int head = part.head().readableBytes();
                part.head().getBytes(part.head().readerIndex(), all, at, head);
                at += head;
                FileBody.readFully(
                        file, ByteBuffer.wrap(all, at, (int) part.length()).slice(), part.position());
                at += (int) part.length();
            }
            return ChannelBuffers.wrappedBuffer(all);
        }
    }

    FileBody toBody(boolean asRegions) {
        return new FileBody(file, parts, asRegions);
    }

    void close() throws IOException {
        file.close();
    }
}
