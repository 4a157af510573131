package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** A field with its content in a file. */
public class DiskAttribute extends AbstractDiskHttpData implements Attribute {
    /** The directory for temporary files; null for the JVM's default. Read each time a file is created. */
    public static String baseDirectory;

    /**
     * Whether temporary files are deleted when their object is garbage collected, or the JVM exits. Read for each new
     * file.
     */
    public static boolean deleteOnExitTemporaryFile = true;

    public static final String prefix = "Attr_";
    public static final String postfix = ".att";

    public DiskAttribute(String name) {
        super(name, null, 0);
    }

    public DiskAttribute(String name, String value) throws IOException {
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
    public String getValue() throws IOException {
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
        try {
            return getName() + '=' + getValue();
        } catch (IOException e) {
            return getName() + "=(" + e.getMessage() + ')';
        }
    }

    @Override
    protected boolean deleteOnExit() {
        return deleteOnExitTemporaryFile;
    }

    @Override
    protected String getBaseDirectory() {
        return baseDirectory;
    }

    /** Null, because the name is fixed. */
    @Override
    protected String getDiskFilename() {
        return null;
    }

    @Override
    protected String getPostfix() {
        return postfix;
    }

    @Override
    protected String getPrefix() {
        return prefix;
    }
}
