package org.freshet.util;

/** An object that wraps another one and is counted together with it in size estimates. */
public interface EstimatableObjectWrapper {
    /** Returns the object to count with this one, or null. */
    Object unwrap();
}
