package org.freshet.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes several bytes of an array in one step, in either order. Alignment does not matter. */
final class ArrayViews {
    static final VarHandle SHORT_BE = view(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle INT_BE = view(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG_BE = view(long[].class, ByteOrder.BIG_ENDIAN);

    static final VarHandle SHORT_LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT_LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG_LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ArrayViews() {}

    private static VarHandle view(Class<?> arrayType, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, order);
    }
}
