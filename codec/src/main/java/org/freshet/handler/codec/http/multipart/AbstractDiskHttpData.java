package org.freshet.handler.codec.http.multipart;

import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpConstants;

/** Content in a file: either a temporary one, written as the content arrives, or one that was provided. */
public abstract class AbstractDiskHttpData extends AbstractHttpData {
    private static final int COPY_BYTES = 64 * 1024;
    private static final int MAX_NAME_LENGTH = 64;

    /** Null while there is no content. */
    protected File file;

    /** Null if the file is not a temporary one. */
    private volatile TempFile temp;

    /** Open from the first piece of content added until the last. */
    private FileOutput output;

    /** Open while {@link #getChunk} is in use. */
    private FileChannel input;

    /** Whether {@link #getChunk} has returned the last bytes and must return an empty buffer next. */
    private boolean chunksEnded;

    protected AbstractDiskHttpData(String name, Charset charset, long size) {
        super(name, charset, size);
    }

    /** Becomes part of the temporary file's name, instead of {@link #getPostfix()}; null to use the latter. */
    protected abstract String getDiskFilename();

    /** The start of the temporary file's name. */
    protected abstract String getPrefix();

    /** The directory for temporary files; null for the JVM's default. */
    protected abstract String getBaseDirectory();

    /** The end of the temporary file's name. */
    protected abstract String getPostfix();

    /** Whether the temporary file is deleted when this object is garbage collected, or the JVM exits. */
    protected abstract boolean deleteOnExit();

    // ---- writing ----

    @Override
    public void addContent(ChannelBuffer buffer, boolean last) throws IOException {
        if (buffer != null) {
            append(buffer, last);
        } else if (!last) {
            throw new NullPointerException("buffer");
        }
        if (last) {
            complete();
        }
    }

    private void append(ChannelBuffer buffer, boolean last) throws IOException {
        int length = buffer.readableBytes();
        checkNewSize(size + length);
        openOutput();
        output.append(buffer, last);
        size += length;
    }

    private void complete() throws IOException {
        openOutput();
        output.flush();
        output.close();
        output = null;
        completed = true;
    }

    /** Makes everything added so far readable from the file. */
    private void flush() throws IOException {
        if (output != null) {
            output.flush();
        }
    }

    private void openOutput() throws IOException {
        if (output == null) {
            if (file == null) {
                createFile();
            }
            output = new FileOutput(file.toPath());
        }
    }

    private void createFile() throws IOException {
        String directory = getBaseDirectory();
        temp = TempFile.create(
                this, directory == null ? null : Path.of(directory), getPrefix(), suffix(), deleteOnExit());
        file = temp.path().toFile();
    }

    /** Cleans names that a client may have chosen before they become part of a path. */
    private String suffix() {
        String name = getDiskFilename();
        if (name == null) {
            return getPostfix();
        }
        String end = name.substring(Math.max(0, name.length() - MAX_NAME_LENGTH));
        return '_' + end.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    @Override
    public void setContent(ChannelBuffer buffer) throws IOException {
        Objects.requireNonNull(buffer, "buffer");
        checkNewSize(buffer.readableBytes());
        restart();
        addContent(buffer, true);
        definedSize = size;
    }

    @Override
    public void setContent(InputStream inputStream) throws IOException {
        Objects.requireNonNull(inputStream, "inputStream");
        restart();
        byte[] piece = new byte[COPY_BYTES];
        for (int n; (n = inputStream.read(piece)) >= 0; ) {
            append(ChannelBuffers.wrappedBuffer(piece, 0, n), false);
        }
        complete();
        definedSize = size;
    }

    /** The file remains the caller's: {@link #delete()} does not delete it. */
    @Override
    public void setContent(File file) throws IOException {
        Objects.requireNonNull(file, "file");
        long length = file.length();
        checkNewSize(length);
        delete();
        this.file = file;
        size = length;
        definedSize = length;
        completed = true;
    }

    private void restart() {
        delete();
        completed = false;
    }

    @Override
    public void delete() {
        closeQuietly(output);
        closeQuietly(input);
        output = null;
        input = null;
        chunksEnded = false;
        if (temp != null) {
            temp.delete();
        }
        temp = null;
        file = null;
        size = 0;
    }

    private static void closeQuietly(Closeable file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // The content is no longer wanted.
        }
    }

    /** See {@link HttpDataFactory#removeHttpDataFromClean}. */
    final void keepFromCollector() {
        if (temp != null) {
            temp.keepFromCollector();
        }
    }

    // ---- reading ----

    @Override
    public byte[] get() throws IOException {
        flush();
        return file == null ? new byte[0] : Files.readAllBytes(file.toPath());
    }

    @Override
    public ChannelBuffer getChannelBuffer() throws IOException {
        return ChannelBuffers.wrappedBuffer(get());
    }

    @Override
    public ChannelBuffer getChunk(int length) throws IOException {
        boolean ended = chunksEnded;
        chunksEnded = false;
        if (file == null || length == 0 || ended) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        flush();
        if (input == null) {
            input = FileChannel.open(file.toPath(), StandardOpenOption.READ);
        }
        long remaining = size - input.position();
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(length, remaining));
        boolean endOfFile = false;
        while (chunk.hasRemaining() && !endOfFile) {
            endOfFile = input.read(chunk) < 0;
        }
        if (endOfFile || chunk.position() == remaining) {
            input.close();
            input = null;
            chunksEnded = chunk.position() > 0;
        }
        return ChannelBuffers.wrappedBuffer(chunk.array(), 0, chunk.position());
    }

    @Override
    public String getString() throws IOException {
        return getString(charset);
    }

    @Override
    public String getString(Charset encoding) throws IOException {
        return new String(get(), encoding == null ? HttpConstants.DEFAULT_CHARSET : encoding);
    }

    @Override
    public boolean isInMemory() {
        return false;
    }

    @Override
    public boolean renameTo(File dest) throws IOException {
        Objects.requireNonNull(dest, "dest");
        if (file == null) {
            throw new EOFException("no content to rename: " + name);
        }
        flush();
        Files.move(file.toPath(), dest.toPath(), StandardCopyOption.REPLACE_EXISTING);
        if (temp != null) {
            temp.release();
            temp = null;
        }
        file = dest;
        return true;
    }

    @Override
    public File getFile() throws IOException {
        flush();
        return file;
    }
}
