package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Text that an encoder writes around the parts of a form: delimiters and heads. Not thread-safe. */
public class InternalAttribute implements InterfaceHttpData {
    protected final List<String> value = new ArrayList<>();
    private final Charset charset;

    public InternalAttribute(Charset charset) {
        this.charset = Objects.requireNonNull(charset, "charset");
    }

    @Override
    public HttpDataType getHttpDataType() {
        return HttpDataType.InternalAttribute;
    }

    public void addValue(String value) {
        this.value.add(Objects.requireNonNull(value, "value"));
    }

    public void addValue(String value, int rank) {
        this.value.add(rank, Objects.requireNonNull(value, "value"));
    }

    /** Replaces the text at this index. */
    public void setValue(String value, int rank) {
        this.value.set(rank, Objects.requireNonNull(value, "value"));
    }

    /** Bytes of all texts encoded together. In UTF-16, that is less than the sum of their sizes. */
    public int size() {
        return toString().getBytes(charset).length;
    }

    public ChannelBuffer toChannelBuffer() {
        return ChannelBuffers.wrappedBuffer(toString().getBytes(charset));
    }

    @Override
    public String getName() {
        return "InternalAttribute";
    }

    @Override
    public int hashCode() {
        return getName().hashCode();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof InternalAttribute && getName().equalsIgnoreCase(((InternalAttribute) o).getName());
    }

    @Override
    public int compareTo(InterfaceHttpData o) {
        if (!(o instanceof InternalAttribute)) {
            throw FormNames.incomparable(this, o);
        }
        return compareTo((InternalAttribute) o);
    }

    public int compareTo(InternalAttribute o) {
        return getName().compareToIgnoreCase(o.getName());
    }

    @Override
    public String toString() {
        return String.join("", value);
    }
}
