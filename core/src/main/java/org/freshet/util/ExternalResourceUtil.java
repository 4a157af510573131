package org.freshet.util;

import java.util.Objects;

/** Releases several resources. */
public final class ExternalResourceUtil {
    private ExternalResourceUtil() {}

    /**
     * Releases each resource in order. If one throws, the rest are still released; the first exception is then thrown,
     * with later ones as suppressed.
     *
     * @throws NullPointerException if one of them is null; nothing has been released in that case
     */
    public static void release(ExternalResourceReleasable... releasables) {
        ExternalResourceReleasable[] all = releasables.clone();
        for (int i = 0; i < all.length; i++) {
            Objects.requireNonNull(all[i], "releasables[" + i + "]");
        }
        RuntimeException failure = null;
        for (ExternalResourceReleasable one : all) {
            try {
                one.releaseExternalResources();
            } catch (RuntimeException thrown) {
                if (failure == null) {
                    failure = thrown;
                } else if (failure != thrown) {
                    failure.addSuppressed(thrown);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
