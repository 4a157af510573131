package org.freshet.util;

/** Estimates how much memory an object takes. Executors call it from many threads to stay within their limits. */
public interface ObjectSizeEstimator {
    /**
     * Estimates the size of an object, including everything only it refers to.
     *
     * @param object null is allowed
     * @return bytes, 0 or more
     */
    int estimateSize(Object object);
}
