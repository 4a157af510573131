package org.freshet.handler.codec.http.multipart;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import org.freshet.buffer.ChannelBuffer;

/**
 * The content of a field or file, in memory or in a file. Not thread-safe, except for {@link #delete()}.
 *
 * <p>Buffers passed in are copied; their indexes are unchanged.
 */
public interface HttpData extends InterfaceHttpData {
    /** @param maxSize in bytes; negative for no limit */
    void setMaxSize(long maxSize);

    /** @throws IOException if content of this size would exceed {@link #setMaxSize} */
    void checkSize(long newSize) throws IOException;

    /** Replaces the content and completes it. */
    void setContent(ChannelBuffer buffer) throws IOException;

    /**
     * Appends to the content.
     *
     * @param buffer may be null only if {@code last} is true
     * @param last whether this completes the content
     * @throws IOException if the content becomes too large, or its file cannot be written; then nothing is appended
     */
    void addContent(ChannelBuffer buffer, boolean last) throws IOException;

    /** Replaces the content with that of a file, and completes it. */
    void setContent(File file) throws IOException;

    /** Replaces the content with the rest of the stream, and completes it. Doesn't close the stream. */
    void setContent(InputStream inputStream) throws IOException;

    boolean isCompleted();

    /** Bytes of content so far. */
    long length();

    /** Drops the content, and deletes its file if it is a temporary one. Any thread may call this. */
    void delete();

    /** A copy of the whole content. */
    byte[] get() throws IOException;

    /** The whole content; not suited to large files. */
    ChannelBuffer getChannelBuffer() throws IOException;

    /**
     * Returns the next part of the content, starting where the last call ended.
     *
     * @param length maximum number of bytes
     * @return an empty buffer at the end; the call after that starts from the beginning
     */
    ChannelBuffer getChunk(int length) throws IOException;

    /** The content decoded with {@link #getCharset()}. */
    String getString() throws IOException;

    /** @param encoding null for UTF-8 */
    String getString(Charset encoding) throws IOException;

    /** @throws NullPointerException if the charset is null */
    void setCharset(Charset charset);

    Charset getCharset();

    /**
     * Stores the content in another file, and replaces that if it exists. A temporary file is moved. It is then no
     * longer temporary, but can still be read by its owner only.
     *
     * @return whether the content is in the file
     */
    boolean renameTo(File dest) throws IOException;

    boolean isInMemory();

    /**
     * The file with the content; null if there is no content yet.
     *
     * @throws IOException if the content is in memory
     */
    File getFile() throws IOException;
}
