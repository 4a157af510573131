package org.freshet.util;

/** An object that holds another one, which counts when its size is estimated. */
public interface EstimatableObjectWrapper {
    /** The object to count with this one; null for none. */
    Object unwrap();
}
