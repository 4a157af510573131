package org.freshet.handler.codec.http.multipart;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpConstants;

/** Content in an array that doubles as it grows. */
public abstract class AbstractMemoryHttpData extends AbstractHttpData {
    private static final byte[] NOTHING = {};
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    /** Whether {@link #renameTo} has stored the content in a file. */
    protected boolean isRenamed;

    private byte[] bytes = NOTHING;

    /** Where the next {@link #getChunk} begins. */
    private int chunkStart;

    protected AbstractMemoryHttpData(String name, Charset charset, long size) {
        super(name, charset, size);
    }

    @Override
    public void setContent(ChannelBuffer buffer) throws IOException {
        Objects.requireNonNull(buffer, "buffer");
        int length = buffer.readableBytes();
        checkNewSize(length);
        byte[] copy = new byte[length];
        buffer.getBytes(buffer.readerIndex(), copy);
        replace(copy);
    }

    @Override
    public void setContent(InputStream inputStream) throws IOException {
        Objects.requireNonNull(inputStream, "inputStream");
        byte[] read = new byte[1024];
        int length = 0;
        for (int n; (n = inputStream.read(read, length, read.length - length)) >= 0; ) {
            length += n;
            checkNewSize(length);
            if (length == read.length) {
                read = Arrays.copyOf(read, grown(length, length + 1L));
            }
        }
        replace(Arrays.copyOf(read, length));
    }

    @Override
    public void setContent(File file) throws IOException {
        Objects.requireNonNull(file, "file");
        long length = file.length();
        checkNewSize(length);
        if (length > MAX_ARRAY) {
            throw new TooLargeException("a file of " + length + " bytes does not fit into memory");
        }
        replace(Files.readAllBytes(file.toPath()));
    }

    private void replace(byte[] content) {
        bytes = content;
        size = content.length;
        definedSize = size;
        chunkStart = 0;
        completed = true;
    }

    @Override
    public void addContent(ChannelBuffer buffer, boolean last) throws IOException {
        if (buffer != null) {
            append(buffer);
        } else if (!last) {
            throw new NullPointerException("buffer");
        }
        completed |= last;
    }

    private void append(ChannelBuffer buffer) throws IOException {
        int length = buffer.readableBytes();
        long newSize = size + length;
        checkNewSize(newSize);
        if (newSize > bytes.length) {
            bytes = size == 0 ? new byte[length] : Arrays.copyOf(bytes, grown(bytes.length, newSize));
        }
        buffer.getBytes(buffer.readerIndex(), bytes, (int) size, length);
        size = newSize;
    }

    private static int grown(int capacity, long needed) throws IOException {
        if (needed > MAX_ARRAY) {
            throw new TooLargeException(needed + " bytes do not fit into memory");
        }
        return (int) Math.min(Math.max(capacity * 2L, needed), MAX_ARRAY);
    }

    @Override
    public void delete() {
        bytes = NOTHING;
        size = 0;
        chunkStart = 0;
    }

    @Override
    public byte[] get() {
        return Arrays.copyOf(bytes, (int) size);
    }

    @Override
    public String getString() {
        return getString(charset);
    }

    @Override
    public String getString(Charset encoding) {
        return new String(bytes, 0, (int) size, encoding == null ? HttpConstants.DEFAULT_CHARSET : encoding);
    }

    @Override
    public ChannelBuffer getChannelBuffer() {
        return ChannelBuffers.wrappedBuffer(bytes, 0, (int) size);
    }

    @Override
    public ChannelBuffer getChunk(int length) throws IOException {
        int from = chunkStart;
        int n = (int) Math.min(length, size - from);
        if (n <= 0) {
            chunkStart = 0;
            return ChannelBuffers.EMPTY_BUFFER;
        }
        chunkStart += n;
        return ChannelBuffers.wrappedBuffer(bytes, from, n);
    }

    @Override
    public boolean isInMemory() {
        return true;
    }

    @Override
    public boolean renameTo(File dest) throws IOException {
        Objects.requireNonNull(dest, "dest");
        ByteBuffer content = ByteBuffer.wrap(bytes, 0, (int) size);
        try (FileChannel channel = FileChannel.open(
                dest.toPath(),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
        }
        isRenamed = true;
        return true;
    }

    /** @throws IOException always, since there is no file */
    @Override
    public File getFile() throws IOException {
        throw new IOException("the content of " + name + " is in memory");
    }
}
