package org.freshet.util;

public interface EstimatableObjectWrapper {
    Object unwrap();
}
