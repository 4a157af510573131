package org.freshet.handler.codec.serialization;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.lang.reflect.Modifier;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses a serialized object without creating any part of it, and adds up the cost of reading its collections;
 * {@link CollectionCost} has the rules. Refuses anything it cannot parse, so nothing is read without being scanned.
 *
 * <p>For one object and one thread. Takes time linear in the bytes: a reference costs as much as a number.
 */
final class StreamScan implements ObjectStreamConstants {
    /** A class as described in the stream; its superclasses are in {@code parent}. */
    private record Description(String name, int flags, String fieldTypes, Description parent) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    private final ByteBuffer in;
    private final ClassResolver resolver;
    private final SerialFilter filter;
    private final int maxDepth;

    /** Targets of references: a {@link Description} or a {@link CollectionCost.Part} each. */
    private final List<Object> handles;

    private final CollectionCost cost = new CollectionCost();

    /** Whether this is a plain stream: no version at the start, and full class descriptions only. */
    private final boolean plain;

    /** The minimum number of bytes the object needs. */
    private long wantedBytes;

    private StreamScan(ByteBuffer in, ClassResolver resolver, SerialFilter filter, int maxDepth) {
        this.in = in;
        this.resolver = resolver;
        this.filter = filter;
        this.maxDepth = maxDepth;
        handles = new ArrayList<>();
        plain = false;
    }

    private StreamScan(ByteBuffer in, List<Object> handles, int maxDepth) {
        this.in = in;
        this.handles = handles;
        this.maxDepth = maxDepth;
        resolver = null;
        filter = null;
        plain = true;
    }

    /**
     * @param object its remaining bytes are the stream of {@link CompactObjectOutputStream}; big endian
     * @return the cost of hashing and comparing, in the units of {@link CollectionCost}
     * @throws IOException if the bytes are not such a stream, or describe a class that is refused
     */
    static long cost(ByteBuffer object, ClassResolver resolver, SerialFilter filter, int maxDepth)
            throws IOException, ClassNotFoundException {
        StreamScan scan = new StreamScan(object, resolver, filter, maxDepth);
        try {
            scan.skip(1); // the version
            while (scan.peek() == TC_RESET) {
                scan.skip(1);
            }
            scan.content(0);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new StreamCorruptedException("object ends too early");
        }
        return scan.cost.total();
    }

    /**
     * The measure of the next object of a plain stream.
     *
     * @param bytes its length if it is complete; otherwise a minimum, greater than the bytes available
     * @param cost the cost of hashing and comparing, in the units of {@link CollectionCost}
     */
    record Measure(boolean complete, long bytes, long cost) {}

    /**
     * Measures the object at the start of the remaining bytes.
     *
     * @param handles left by earlier objects since the stream was reset; grows if the object is complete
     * @throws IOException if the bytes are not an object
     */
    static Measure measure(ByteBuffer plain, List<Object> handles, int maxDepth)
            throws IOException, ClassNotFoundException {
        int known = handles.size();
        StreamScan scan = new StreamScan(plain, handles, maxDepth);
        boolean complete = false;
        try {
            scan.content(0);
            complete = true;
            return new Measure(true, plain.position(), scan.cost.total());
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            return new Measure(false, Math.max(plain.limit() + 1L, scan.wantedBytes), 0);
        } finally {
            if (!complete) {
                handles.subList(known, handles.size()).clear();
            }
        }
    }

    // ---- objects ----

    private int peek() {
        return in.get(in.position()) & 0xFF;
    }

    private CollectionCost.Part content(int depth) throws IOException, ClassNotFoundException {
        if (depth > maxDepth) {
            throw new StreamCorruptedException("depth > " + maxDepth);
        }
        int tag = in.get() & 0xFF;
        return switch (tag) {
            case TC_NULL -> CollectionCost.NULL;
            case TC_REFERENCE -> referenced(CollectionCost.Part.class);
            case TC_STRING -> string(in.getShort() & 0xFFFF);
            case TC_LONGSTRING -> string(in.getLong());
            case TC_OBJECT -> object(depth);
            case TC_ARRAY -> array(depth);
            case TC_ENUM -> enumConstant(depth);
            case TC_CLASS -> {
                description(depth);
                yield handle(CollectionCost.value());
            }
            case TC_CLASSDESC, TC_PROXYCLASSDESC -> {
                in.position(in.position() - 1);
                description(depth);
                yield CollectionCost.value();
            }
            default -> throw new StreamCorruptedException("no object begins with tag " + tag);
        };
    }

    private <T> T handle(T referable) {
        handles.add(referable);
        return referable;
    }

    private <T> T referenced(Class<T> expected) throws StreamCorruptedException {
        int index = in.getInt() - baseWireHandle;
        if (index < 0 || index >= handles.size() || !expected.isInstance(handles.get(index))) {
            throw new StreamCorruptedException("reference to a missing object: " + index);
        }
        return expected.cast(handles.get(index));
    }

    private CollectionCost.Part string(long bytes) throws StreamCorruptedException {
        skip(bytes);
        return handle(CollectionCost.value(bytes));
    }

    private void skip(long bytes) throws StreamCorruptedException {
        if (bytes < 0) {
            throw new StreamCorruptedException("length < 0: " + bytes);
        }
        if (bytes > in.remaining()) {
            wantedBytes = bytes > Integer.MAX_VALUE ? Integer.MAX_VALUE : in.position() + bytes;
            throw new BufferUnderflowException();
        }
        in.position(in.position() + (int) bytes);
    }

    private CollectionCost.Part enumConstant(int depth) throws IOException, ClassNotFoundException {
        description(depth);
        CollectionCost.Part constant = handle(CollectionCost.value());
        content(depth + 1); // its name
        return constant;
    }

    private CollectionCost.Part array(int depth) throws IOException, ClassNotFoundException {
        Description type = description(depth);
        if (type == null || type.name.length() < 2) {
            throw new StreamCorruptedException("array without a class");
        }
        CollectionCost.Part array = handle(CollectionCost.open());
        int length = in.getInt();
        char element = type.name.charAt(1);
        if (element != 'L' && element != '[') {
            long bytes = (long) length * size(element);
            skip(bytes);
            array.addBytes(bytes);
        } else {
            for (int i = 0; i < length; i++) {
                array.add(content(depth + 1));
            }
        }
        return array.close();
    }

    private CollectionCost.Part object(int depth) throws IOException, ClassNotFoundException {
        Description type = description(depth);
        if (type == null) {
            throw new StreamCorruptedException("object without a class");
        }
        CollectionCost.Part object = handle(CollectionCost.open());
        data(type, type.name, object, depth + 1);
        return object.closeAs(type.name);
    }

    /** Reads the data of a class after that of its superclasses. */
    private void data(Description type, String concrete, CollectionCost.Part object, int depth)
            throws IOException, ClassNotFoundException {
        if (type.has(SC_EXTERNALIZABLE)) {
            if (!type.has(SC_BLOCK_DATA)) {
                throw new StreamCorruptedException(type.name + " is written in a form without a detectable end");
            }
            custom(object, cost.collection(type.name, concrete), depth);
            return;
        }
        if (type.parent != null) {
            data(type.parent, concrete, object, depth);
        }
        if (type.has(SC_SERIALIZABLE)) {
            int start = in.position();
            fields(type, object, depth);
            CollectionCost.Collection elements = cost.collection(type.name, concrete);
            elements.onFields(in, start);
            if (type.has(SC_WRITE_METHOD)) {
                custom(object, elements, depth);
            }
        }
    }

    private void fields(Description type, CollectionCost.Part object, int depth)
            throws IOException, ClassNotFoundException {
        for (int i = 0; i < type.fieldTypes.length(); i++) {
            char field = type.fieldTypes.charAt(i);
            if (field == 'L' || field == '[') {
                object.add(content(depth));
            } else {
                skip(size(field));
                object.addBytes(size(field));
            }
        }
    }

    /**
     * Reads the data that a class writes itself: blocks of bytes, and objects. In a collection, the objects are its
     * elements.
     */
    private void custom(CollectionCost.Part object, CollectionCost.Collection elements, int depth)
            throws IOException, ClassNotFoundException {
        for (int tag = peek(); tag != TC_ENDBLOCKDATA; tag = peek()) {
            if (tag == TC_BLOCKDATA || tag == TC_BLOCKDATALONG) {
                skip(1);
                long bytes = tag == TC_BLOCKDATA ? in.get() & 0xFF : in.getInt();
                object.onBlock(in, bytes);
                skip(bytes);
            } else {
                CollectionCost.Part element = content(depth);
                object.add(element);
                elements.add(element);
            }
        }
        skip(1);
        elements.end();
    }

    private static int size(char primitive) throws StreamCorruptedException {
        return switch (primitive) {
            case 'B', 'Z' -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            case 'J', 'D' -> 8;
            default -> throw new StreamCorruptedException("unknown primitive type: " + primitive);
        };
    }

    // ---- classes ----

    /** Returns null if there is no class. */
    private Description description(int depth) throws IOException, ClassNotFoundException {
        int tag = in.get() & 0xFF;
        return switch (tag) {
            case TC_NULL -> null;
            case TC_REFERENCE -> referenced(Description.class);
            case TC_CLASSDESC -> classDescription(depth);
            case TC_PROXYCLASSDESC -> proxyDescription(depth);
            default -> throw new StreamCorruptedException("no class description begins with tag " + tag);
        };
    }

    private Description classDescription(int depth) throws IOException, ClassNotFoundException {
        int handle = handles.size();
        handles.add(null); // its handle comes before those of its parts
        int kind = plain ? CompactObjectOutputStream.FAT : in.get() & 0xFF;
        String name = utf();
        int flags;
        String fieldTypes = "";
        if (kind == CompactObjectOutputStream.FAT) {
            skip(Long.BYTES); // the version of the class
            flags = in.get() & 0xFF;
            fieldTypes = fieldTypes();
        } else if (kind != CompactObjectOutputStream.THIN) {
            throw new StreamCorruptedException("kind of class description is not 0 or 1: " + kind);
        } else if (name.startsWith("[")) {
            flags = SC_SERIALIZABLE;
        } else {
            Class<?> type = resolver.resolve(name);
            filter.check(type);
            flags = flags(type);
            fieldTypes = fieldTypes(type);
        }
        custom(CollectionCost.open(), CollectionCost.NO_COLLECTION, depth + 1);
        Description description = new Description(name, flags, fieldTypes, parent(depth));
        handles.set(handle, description);
        return description;
    }

    private Description parent(int depth) throws IOException, ClassNotFoundException {
        if (depth > maxDepth) {
            throw new StreamCorruptedException("depth > " + maxDepth);
        }
        return description(depth + 1);
    }

    private Description proxyDescription(int depth) throws IOException, ClassNotFoundException {
        int handle = handles.size();
        handles.add(null);
        int interfaces = in.getInt();
        for (int i = 0; i < interfaces; i++) {
            utf();
        }
        custom(CollectionCost.open(), CollectionCost.NO_COLLECTION, depth + 1);
        Description description = new Description("", SC_SERIALIZABLE, "", parent(depth));
        handles.set(handle, description);
        return description;
    }

    /** Class and field names that matter to the rules are plain ASCII. */
    private String utf() {
        int length = in.getShort() & 0xFFFF;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private String fieldTypes() throws IOException, ClassNotFoundException {
        int count = in.getShort() & 0xFFFF;
        StringBuilder types = new StringBuilder();
        for (int i = 0; i < count; i++) {
            char type = (char) (in.get() & 0xFF);
            types.append(type);
            skip(in.getShort() & 0xFFFF); // its name
            if (type == 'L' || type == '[') {
                content(maxDepth); // its class: a string or a reference to one
            }
        }
        return types.toString();
    }

    private static String fieldTypes(Class<?> type) {
        StringBuilder types = new StringBuilder();
        for (ObjectStreamField field : ObjectStreamClass.lookupAny(type).getFields()) {
            types.append(field.getTypeCode());
        }
        return types.toString();
    }

    private static int flags(Class<?> type) throws InvalidClassException {
        if (Externalizable.class.isAssignableFrom(type)) {
            return SC_EXTERNALIZABLE | SC_BLOCK_DATA;
        }
        if (!Serializable.class.isAssignableFrom(type)) {
            return 0;
        }
        return writesItself(type) ? SC_SERIALIZABLE | SC_WRITE_METHOD : SC_SERIALIZABLE;
    }

    private static boolean writesItself(Class<?> type) {
        try {
            int modifiers = type.getDeclaredMethod("writeObject", ObjectOutputStream.class)
                    .getModifiers();
            return Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers);
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
