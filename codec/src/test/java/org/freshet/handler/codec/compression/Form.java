package org.freshet.handler.codec.compression;

import static org.freshet.handler.codec.compression.ZlibStreams.deflated;

/** A wrapper format and the formats it may contain. */
enum Form {
    ZLIB(ZlibWrapper.ZLIB, ZlibWrapper.ZLIB),
    GZIP(ZlibWrapper.GZIP, ZlibWrapper.GZIP),
    NONE(ZlibWrapper.NONE, ZlibWrapper.NONE),
    EITHER_BEING_ZLIB(ZlibWrapper.ZLIB_OR_NONE, ZlibWrapper.ZLIB),
    EITHER_BEING_NONE(ZlibWrapper.ZLIB_OR_NONE, ZlibWrapper.NONE);

    private final ZlibWrapper told;
    private final ZlibWrapper actual;

    Form(ZlibWrapper told, ZlibWrapper actual) {
        this.told = told;
        this.actual = actual;
    }

    byte[] of(byte[] content) {
        return deflated(actual, content);
    }

    ZlibDecoder decoder() {
        return new ZlibDecoder(told);
    }

    ZlibDecoder decoder(long maxOutputBytes) {
        return new ZlibDecoder(told, maxOutputBytes);
    }

    /** Whether damage is always detected: a damaged header may turn one format into the other. */
    boolean hasChecksum() {
        return told == ZlibWrapper.ZLIB || told == ZlibWrapper.GZIP;
    }
}
