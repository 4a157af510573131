package org.freshet.util;

public interface ObjectSizeEstimator {
    int estimateSize(Object value);
}
