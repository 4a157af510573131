package org.freshet.util;

/** An object whose size is that of another object in it. */
public interface EstimatableObjectWrapper {
    /** The object to estimate instead of this one. */
    Object unwrap();
}
