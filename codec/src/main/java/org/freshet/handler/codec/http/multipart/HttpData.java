package org.freshet.handler.codec.http.multipart;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import org.freshet.buffer.ChannelBuffer;

/**
 * The content of a field or file, in memory or in a file. Not for several threads at once, except {@link #delete()}.
 *
 * <p>Buffers that are passed in are copied; their indexes stay as they are.
 */
public interface HttpData extends InterfaceHttpData {
    /** @param maxSize in bytes; negative for no limit */
    void setMaxSize(long maxSize);

    /** @throws IOException if content of so many bytes would exceed {@link #setMaxSize} */
    void checkSize(long newSize) throws IOException;

    /** Replaces the content and completes it. */
    void setContent(ChannelBuffer buffer) throws IOException;

    /**
     * Appends to the content.
     *
     * @param buffer may be null only if {@code last}
     * @param last whether the content is complete then
     * @throws IOException if the content becomes too large, or its file cannot be written; nothing is appended then
     */
    void addContent(ChannelBuffer buffer, boolean last) throws IOException;

    /** Replaces the content by that of a file, and completes it. */
    void setContent(File file) throws IOException;

    /** Replaces the content by what the stream still holds, and completes it. Does not close the stream. */
    void setContent(InputStream inputStream) throws IOException;

    boolean isCompleted();

    /** Bytes of content so far. */
    long length();

    /** Drops the content, and deletes its file if that is a temporary one. Any thread. */
    void delete();

    /** A copy of the whole content. */
    byte[] get() throws IOException;

    /** The whole content; not for large files. */
    ChannelBuffer getChannelBuffer() throws IOException;

    /**
     * Reads on from where the last call ended.
     *
     * @param length bytes at most
     * @return an empty buffer at the end, after which the next call starts anew
     */
    ChannelBuffer getChunk(int length) throws IOException;

    /** The content as a text in {@link #getCharset()}. */
    String getString() throws IOException;

    /** @param encoding null for UTF-8 */
    String getString(Charset encoding) throws IOException;

    /** @throws NullPointerException if the charset is null */
    void setCharset(Charset charset);

    Charset getCharset();

    /**
     * Stores the content under another name, replacing what is there. A temporary file is moved, and stays what it was:
     * readable by its owner alone. From then on it is not temporary.
     *
     * @return whether the content is there now
     */
    boolean renameTo(File dest) throws IOException;

    boolean isInMemory();

    /**
     * The file that holds the content; null if there is none yet.
     *
     * @throws IOException if the content is in memory
     */
    File getFile() throws IOException;
}
