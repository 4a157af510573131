package org.freshet.handler.codec.spdy;

/** The versions of SPDY. */
public enum SpdyVersion {
    SPDY_3_1(3, 1);

    private final int version;
    private final int minorVersion;

    SpdyVersion(int version, int minorVersion) {
        this.version = version;
        this.minorVersion = minorVersion;
    }

    /** As in control frames. */
    int version() {
        return version;
    }

    int minorVersion() {
        return minorVersion;
    }
}
