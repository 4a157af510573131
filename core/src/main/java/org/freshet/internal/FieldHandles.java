package org.freshet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Makes the handles by which classes change their own fields atomically. Any thread may call. */
public final class FieldHandles {
    private FieldHandles() {}

    /**
     * Returns the handle of a field that is not static. For a constant of the class, with which it is as fast as the field.
     *
     * @param owner the lookup of the class that declares the field
     * @throws ExceptionInInitializerError if the class has no such field
     */
    public static VarHandle of(MethodHandles.Lookup owner, String field, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
