package org.freshet.handler.codec.http.server.internal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.stream.ChunkedInput;

/**
 * The content of a response, from an open file: one range, or several with text between them. It is returned as file
 * regions if nothing but the transport needs the bytes, otherwise as chunks, followed by the last chunk.
 *
 * <p>Used by one thread at a time. {@link #close} closes the file.
 */
public final class FileBody implements ChunkedInput {
    /** Two TLS records; half of what a channel takes before it is no longer writable. */
    private static final int CHUNK_BYTES = 32 * 1024;

    /**
     * A range of the file, and the text before it.
     *
     * @param head may be empty
     */
    public record Part(ChannelBuffer head, long position, long length) {}

    private final FileChannel file;
    private final List<Part> parts;
    private final boolean asRegions;

    private int part;
    private boolean headSent;

    /** Bytes already sent of the current part's range. */
    private long sentOfPart;

    private boolean ended;

    /** @param parts the last one may be only text, with length 0 */
    public FileBody(FileChannel file, List<Part> parts, boolean asRegions) {
        this.file = file;
        this.parts = List.copyOf(parts);
        this.asRegions = asRegions;
    }

    @Override
    public boolean hasNextChunk() {
        return !ended;
    }

    @Override
    public boolean isEndOfInput() {
        return ended;
    }

    @Override
    public Object nextChunk() throws IOException {
        while (part < parts.size()) {
            Part present = parts.get(part);
            if (!headSent) {
                headSent = true;
                if (present.head.readable()) {
                    endIfNothingFollows(present);
                    return asRegions ? present.head : new DefaultHttpChunk(present.head);
                }
            }
            if (sentOfPart < present.length) {
                Object content = asRegions ? region(present) : chunk(present);
                endIfNothingFollows(present);
                return content;
            }
            part++;
            headSent = false;
            sentOfPart = 0;
        }
        ended = true;
        return asRegions ? null : HttpChunk.LAST_CHUNK;
    }

    /** With regions, the last one ends the input; with chunks, another one follows. */
    private void endIfNothingFollows(Part present) {
        ended = asRegions && part == parts.size() - 1 && sentOfPart == present.length;
    }

    private DefaultFileRegion region(Part present) {
        sentOfPart = present.length;
        return new DefaultFileRegion(file, present.position, present.length);
    }

    private HttpChunk chunk(Part present) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, present.length - sentOfPart));
        readFully(file, bytes, present.position + sentOfPart);
        sentOfPart += bytes.capacity();
        return new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(bytes.array()));
    }

    /** Fills a buffer. Throws EOFException if the file ends before that. */
    public static void readFully(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + bytes.position()) < 0) {
                throw new EOFException("the file was truncated while it was sent: it should have "
                        + (position + bytes.limit()) + " bytes or more, but ends at " + file.size());
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
