package org.freshet.handler.codec.http.server.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The validators of a file's content (RFC 9110 8.8): an entity tag made of size and modification time, and the time itself.
 *
 * <p>They are strong once the file has not been modified for {@link #SETTLED_MILLIS}: from then on no change can leave the
 * time as it is, and ranges of two answers with the same tag fit together. Before, a second change within what the file
 * system distinguishes would go unnoticed, so the tag is weak and the time does not validate ranges. Somebody who sets the
 * modification time back by hand defeats this, as everywhere.
 *
 * @param tag as it stands in {@code ETag}
 * @param strong whether the tag, and the date, identify the content byte by byte
 * @param modifiedSecond of the epoch
 */
record FileVersion(String tag, boolean strong, long modifiedSecond) {
    /** The coarsest modification times are FAT's, of two seconds. */
    static final long SETTLED_MILLIS = 3000;

    /**
     * @param coding of the content that these validators are for; empty for none
     * @param modifiedSecond of the resource, which may be that of another file than the one that holds its content
     */
    static FileVersion of(BasicFileAttributes file, String coding, long modifiedSecond, long nowMillis) {
        long modifiedNanos = file.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        boolean strong = file.lastModifiedTime().toMillis() <= nowMillis - SETTLED_MILLIS
                && TimeUnit.SECONDS.toMillis(modifiedSecond) <= nowMillis - SETTLED_MILLIS;
        String tag = '"'
                + Long.toHexString(modifiedNanos)
                + '-'
                + Long.toHexString(file.size())
                + (coding.isEmpty() ? "" : "-" + coding)
                + '"';
        return new FileVersion(strong ? tag : "W/" + tag, strong, modifiedSecond);
    }

    /** The tag without what marks it as weak. */
    String opaqueTag() {
        return strong ? tag : tag.substring(2);
    }
}
