package org.freshet.handler.codec.http.server.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The validators of a file's content (RFC 9110 8.8): an entity tag made from size and modification time, and that time
 * itself.
 *
 * <p>They are strong if the file was last modified at least {@link #SETTLED_MILLIS} ago: any later change gets a
 * different time, so ranges from two responses with the same tag fit together. Before that, a second change within the
 * resolution of the file system could go unnoticed, so the tag is weak, and the time does not validate ranges. Setting
 * the modification time back by hand defeats this, as on any server.
 *
 * @param tag the value of {@code ETag}
 * @param strong whether the tag and the date identify the content byte for byte
 * @param modifiedSecond in seconds since the epoch
 */
record FileVersion(String tag, boolean strong, long modifiedSecond) {
    /** Longer than the coarsest resolution of modification times: two seconds, on FAT. */
    static final long SETTLED_MILLIS = 3000;

    /**
     * @param coding the content coding that these validators are for; empty for none
     * @param modifiedSecond modification time of the resource, which may be another file than the one with the content
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

    /** The tag without its weakness marker. */
    String opaqueTag() {
        return strong ? tag : tag.substring(2);
    }
}
