package org.freshet.handler.codec.http.multipart;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** Content in memory, until it becomes too large and moves to a file. */
abstract class MixedHttpData<T extends HttpData> implements HttpData {
    /** Maximum bytes of content; negative for no limit. */
    protected long maxSize = DefaultHttpDataFactory.MAXSIZE;

    /** The current content. */
    private volatile T data;

    /** Maximum bytes of content kept in memory. */
    private final long memoryLimit;

    MixedHttpData(T data, long memoryLimit) {
        this.data = data;
        this.memoryLimit = memoryLimit;
    }

    final T data() {
        return data;
    }

    /** Creates an empty object on disk, otherwise like the present one. */
    abstract T onDisk(T present);

    private T newOnDisk() {
        T disk = onDisk(data);
        disk.setMaxSize(maxSize);
        return disk;
    }

    @Override
    public void addContent(ChannelBuffer buffer, boolean last) throws IOException {
        if (buffer != null && data.isInMemory() && !staysInMemory(buffer.readableBytes())) {
            checkSize(data.length() + buffer.readableBytes());
            moveToDisk();
        }
        data.addContent(buffer, last);
    }

    /** Whether the content stays in memory when this many bytes are added. */
    final boolean staysInMemory(int length) {
        return data.isInMemory() && data.length() + length <= memoryLimit;
    }

    private void moveToDisk() throws IOException {
        T disk = newOnDisk();
        if (data.length() > 0) {
            try {
                disk.addContent(data.getChannelBuffer(), false);
            } catch (IOException | RuntimeException | Error failure) {
                disk.delete();
                throw failure;
            }
        }
        data = disk;
    }

    @Override
    public void setContent(ChannelBuffer buffer) throws IOException {
        Objects.requireNonNull(buffer, "buffer");
        prepareFor(buffer.readableBytes());
        data.setContent(buffer);
    }

    @Override
    public void setContent(File file) throws IOException {
        Objects.requireNonNull(file, "file");
        prepareFor(file.length());
        data.setContent(file);
    }

    private void prepareFor(long newSize) throws IOException {
        checkSize(newSize);
        if (data.isInMemory() && newSize > memoryLimit) {
            data = newOnDisk();
        }
    }

    /** Stores the content on disk, since its length is not known in advance. */
    @Override
    public void setContent(InputStream inputStream) throws IOException {
        Objects.requireNonNull(inputStream, "inputStream");
        if (data.isInMemory()) {
            data = newOnDisk();
        }
        data.setContent(inputStream);
    }

    @Override
    public void setMaxSize(long maxSize) {
        this.maxSize = maxSize;
        data.setMaxSize(maxSize);
    }

    @Override
    public void checkSize(long newSize) throws IOException {
        data.checkSize(newSize);
    }

    @Override
    public void delete() {
        data.delete();
    }

    @Override
    public byte[] get() throws IOException {
        return data.get();
    }

    @Override
    public ChannelBuffer getChannelBuffer() throws IOException {
        return data.getChannelBuffer();
    }

    @Override
    public ChannelBuffer getChunk(int length) throws IOException {
        return data.getChunk(length);
    }

    @Override
    public String getString() throws IOException {
        return data.getString();
    }

    @Override
    public String getString(Charset encoding) throws IOException {
        return data.getString(encoding);
    }

    @Override
    public Charset getCharset() {
        return data.getCharset();
    }

    @Override
    public void setCharset(Charset charset) {
        data.setCharset(charset);
    }

    @Override
    public boolean isCompleted() {
        return data.isCompleted();
    }

    @Override
    public boolean isInMemory() {
        return data.isInMemory();
    }

    @Override
    public long length() {
        return data.length();
    }

    @Override
    public boolean renameTo(File dest) throws IOException {
        return data.renameTo(dest);
    }

    @Override
    public File getFile() throws IOException {
        return data.getFile();
    }

    @Override
    public String getName() {
        return data.getName();
    }

    @Override
    public HttpDataType getHttpDataType() {
        return data.getHttpDataType();
    }

    @Override
    public int compareTo(InterfaceHttpData o) {
        return data.compareTo(o);
    }

    @Override
    public String toString() {
        return "Mixed: " + data;
    }
}
