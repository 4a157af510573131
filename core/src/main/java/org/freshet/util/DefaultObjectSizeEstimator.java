package org.freshet.util;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.HeldSize;

/**
 * Estimates sizes without access to private fields.
 *
 * <p>Buffers, arrays, texts and collections count with their content, and so do the messages of Freshet's protocols. A
 * message event or other {@link EstimatableObjectWrapper} counts with what it wraps. Anything else counts with the fields of its class;
 * objects those fields point to are not followed. A message class that hides a large buffer should implement
 * {@link EstimatableObjectWrapper}, or you can supply an estimator that knows it.
 */
public class DefaultObjectSizeEstimator implements ObjectSizeEstimator {
    /** An object's header with its class word, or an array's with its length, on 64-bit JVMs. */
    private static final int HEADER_BYTES = 16;

    private static final int REFERENCE_BYTES = 4;

    /**
     * Beyond this depth an element counts as a reference only, so a collection that contains itself has a finite size.
     */
    private static final int MAX_DEPTH = 16;

    private static final ClassValue<Integer> INSTANCE_BYTES = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            return instanceBytes(type);
        }
    };

    public DefaultObjectSizeEstimator() {}

    /** {@inheritDoc} A multiple of 8, at most {@link Integer#MAX_VALUE}. */
    @Override
    public int estimateSize(Object object) {
        long bytes = (bytesOf(object, 0) + 7) & ~7L;
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static long bytesOf(Object object, int depth) {
        if (object == null) {
            return 0;
        }
        if (depth > MAX_DEPTH) {
            return REFERENCE_BYTES;
        }
        long bytes = INSTANCE_BYTES.get(object.getClass());
        return bytes + contentBytes(object, depth);
    }

    private static long contentBytes(Object object, int depth) {
        if (object instanceof EstimatableObjectWrapper wrapper) {
            return bytesOf(wrapper.unwrap(), depth + 1);
        }
        if (object instanceof HeldSize message) {
            return message.heldBytes();
        }
        if (object instanceof ChannelBuffer buffer) {
            return buffer.capacity();
        }
        if (object instanceof ByteBuffer buffer) {
            return buffer.capacity();
        }
        if (object instanceof CharSequence text) {
            return HEADER_BYTES + 2L * text.length();
        }
        if (object instanceof Collection<?> collection) {
            return bytesOfAll(collection, depth);
        }
        if (object instanceof Map<?, ?> map) {
            return bytesOfAll(map.keySet(), depth) + bytesOfAll(map.values(), depth);
        }
        if (object instanceof Object[] array) {
            return bytesOfAll(Arrays.asList(array), depth);
        }
        if (object.getClass().isArray()) {
            return (long) Array.getLength(object) * fieldBytes(object.getClass().componentType());
        }
        return 0;
    }

    private static long bytesOfAll(Collection<?> elements, int depth) {
        long bytes = 0;
        for (Object element : elements) {
            bytes += REFERENCE_BYTES + bytesOf(element, depth + 1);
        }
        return bytes;
    }

    private static int instanceBytes(Class<?> type) {
        int bytes = HEADER_BYTES;
        for (Class<?> t = type; t != null; t = t.getSuperclass()) {
            for (Field field : fieldsOf(t)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    bytes += fieldBytes(field.getType());
                }
            }
        }
        return bytes;
    }

    private static Field[] fieldsOf(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) { // a field names an absent type, or a native image lacks the metadata
            return new Field[0];
        }
    }

    private static int fieldBytes(Class<?> type) {
        if (type == long.class || type == double.class) {
            return 8;
        }
        if (type == int.class || type == float.class || !type.isPrimitive()) {
            return REFERENCE_BYTES;
        }
        return type == short.class || type == char.class ? 2 : 1;
    }
}
