package org.freshet.handler.codec.compression;

import static org.freshet.handler.codec.compression.ZlibStreams.deflated;

/** A wrapper and what may come in it. */
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

    /** Whether damage cannot go unnoticed: a damaged header may turn either into the other. */
    boolean hasChecksum() {
        return told == ZlibWrapper.ZLIB || told == ZlibWrapper.GZIP;
    }
}
