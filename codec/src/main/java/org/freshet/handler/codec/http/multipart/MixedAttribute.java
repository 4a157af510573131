package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A field with its content in memory, until it becomes too large and moves to a file. */
public class MixedAttribute extends MixedHttpData<Attribute> implements Attribute {
    /** @param limitSize maximum bytes of content kept in memory */
    public MixedAttribute(String name, long limitSize) {
        super(new MemoryAttribute(name), limitSize);
    }

    /**
     * @param limitSize maximum bytes of content kept in memory
     * @throws IllegalArgumentException if the value cannot be stored
     */
    public MixedAttribute(String name, String value, long limitSize) {
        super(holding(name, value, limitSize), limitSize);
    }

    private static Attribute holding(String name, String value, long limitSize) {
        try {
            boolean large = value.length() > limitSize || value.getBytes(StandardCharsets.UTF_8).length > limitSize;
            return large ? new DiskAttribute(name, value) : new MemoryAttribute(name, value);
        } catch (IOException e) {
            throw new IllegalArgumentException("the value of " + name + " cannot be stored", e);
        }
    }

    @Override
    final Attribute onDisk(Attribute present) {
        DiskAttribute disk = new DiskAttribute(present.getName());
        disk.setCharset(present.getCharset());
        return disk;
    }

    @Override
    public String getValue() throws IOException {
        return data().getValue();
    }

    /** Sets the value without moving the content between memory and disk. */
    @Override
    public void setValue(String value) throws IOException {
        data().setValue(value);
    }
}
