package org.freshet.util;

public interface ExternalResourceReleasable {
    void releaseExternalResources();
}
