package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Objects;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Common part of fields and files: name, charset, and size. */
public abstract class AbstractHttpData implements HttpData {
    protected final String name;

    /** Expected bytes of content; 0 if not known. */
    protected long definedSize;

    /** Bytes of content so far. */
    protected long size;

    protected Charset charset = HttpConstants.DEFAULT_CHARSET;
    protected boolean completed;

    /** Maximum bytes of content; negative for no limit. */
    protected long maxSize = DefaultHttpDataFactory.MAXSIZE;

    /**
     * @param charset null for UTF-8
     * @param size expected bytes of content; 0 if not known
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

    /** Checks a new content size against the maximum and the expected size. */
    final void checkNewSize(long newSize) throws IOException {
        checkSize(newSize);
        if (definedSize > 0 && newSize > definedSize) {
            throw new TooLargeException(
                    HeaderSyntax.printable(name) + " is larger than announced: " + newSize + " > " + definedSize);
        }
    }

    /** For a field: its expected size is only a guess that its content may exceed. */
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
