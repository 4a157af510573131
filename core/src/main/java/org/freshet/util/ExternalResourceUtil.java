package org.freshet.util;

import java.util.Objects;

/** Releases several resources. */
public final class ExternalResourceUtil {
    private ExternalResourceUtil() {}

    /**
     * Releases each of them, in order. If one throws, the rest are still released; its exception is
     * thrown at the end, with the later ones as suppressed.
     *
     * @throws NullPointerException if one of them is null; nothing has been released then
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
