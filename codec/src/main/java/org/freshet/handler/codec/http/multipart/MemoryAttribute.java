package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** A field with its content in memory. */
public class MemoryAttribute extends AbstractMemoryHttpData implements Attribute {
    public MemoryAttribute(String name) {
        super(name, null, 0);
    }

    public MemoryAttribute(String name, String value) throws IOException {
        this(name);
        assign(value);
    }

    private void assign(String value) throws IOException {
        super.setContent(ChannelBuffers.wrappedBuffer(value.getBytes(charset)));
    }

    @Override
    public HttpDataType getHttpDataType() {
        return HttpDataType.Attribute;
    }

    @Override
    public String getValue() {
        return getString();
    }

    @Override
    public void setValue(String value) throws IOException {
        Objects.requireNonNull(value, "value");
        ChannelBuffer content = ChannelBuffers.wrappedBuffer(value.getBytes(charset));
        raiseDefinedSize(content.readableBytes());
        setContent(content);
    }

    @Override
    public void addContent(ChannelBuffer buffer, boolean last) throws IOException {
        if (buffer != null) {
            raiseDefinedSize(size + buffer.readableBytes());
        }
        super.addContent(buffer, last);
    }

    @Override
    public int hashCode() {
        return FormNames.hash(name);
    }

    /** Fields are equal if their names are, ignoring case. */
    @Override
    public boolean equals(Object o) {
        return o instanceof Attribute && name.equalsIgnoreCase(((Attribute) o).getName());
    }

    @Override
    public int compareTo(InterfaceHttpData other) {
        return FormNames.compareAttributes(this, other);
    }

    public int compareTo(Attribute other) {
        return FormNames.compareAttributes(this, other);
    }

    @Override
    public String toString() {
        return getName() + '=' + getValue();
    }
}
