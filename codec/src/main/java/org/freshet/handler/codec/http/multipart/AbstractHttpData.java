package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Objects;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** What is known of any field or file: its name, its charset, its size. */
public abstract class AbstractHttpData implements HttpData {
    protected final String name;

    /** Bytes that the content is to have; 0 if not known. */
    protected long definedSize;

    /** Bytes of content so far. */
    protected long size;

    protected Charset charset = HttpConstants.DEFAULT_CHARSET;
    protected boolean completed;

    /** Bytes that the content may have; negative for no limit. */
    protected long maxSize = DefaultHttpDataFactory.MAXSIZE;

    /**
     * @param charset null for UTF-8
     * @param size bytes that the content is to have; 0 if not known
     * @throws IllegalArgumentException if the name is empty
     */
    protected AbstractHttpData(String name, Charset charset, long size) {
        this.name = FormNames.checkFieldName(name);
        if (charset != null) {
            this.charset = charset;
        }
        definedSize = size;
    }

    @Override
    public void setMaxSize(long maxSize) {
        this.maxSize = maxSize;
    }

    @Override
    public void checkSize(long newSize) throws IOException {
        if (maxSize >= 0 && newSize > maxSize) {
            throw new TooLargeException(HeaderSyntax.printable(name) + " is larger than " + maxSize + " bytes");
        }
    }

    /** Checks what the content is to become against both sizes. */
    final void checkNewSize(long newSize) throws IOException {
        checkSize(newSize);
        if (definedSize > 0 && newSize > definedSize) {
            throw new TooLargeException(
                    HeaderSyntax.printable(name) + " is larger than announced: " + newSize + " > " + definedSize);
        }
    }

    /** A field's announced size is a guess, which its content may exceed. */
    final void raiseDefinedSize(long newSize) {
        if (definedSize > 0 && newSize > definedSize) {
            definedSize = newSize;
        }
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isCompleted() {
        return completed;
    }

    @Override
    public Charset getCharset() {
        return charset;
    }

    @Override
    public void setCharset(Charset charset) {
        this.charset = Objects.requireNonNull(charset, "charset");
    }

    @Override
    public long length() {
        return size;
    }
}
