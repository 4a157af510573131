package org.freshet.handler.codec.spdy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** The initial dictionary of both sides' compressors (SPDY/3, 2.6.10.1). */
final class SpdyDictionary {
    /** Each word is preceded by its length in four bytes. */
    private static final String WORDS = "options head post put delete trace accept accept-charset accept-encoding "
            + "accept-language accept-ranges age allow authorization cache-control connection content-base "
            + "content-encoding content-language content-length content-location content-md5 content-range "
            + "content-type date etag expect expires from host if-match if-modified-since if-none-match if-range "
            + "if-unmodified-since last-modified location max-forwards pragma proxy-authenticate "
            + "proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent "
            + "vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie "
            + "keep-alive origin";

    private static final String TEXT = "100101201202205206300302303304305306307402405406407408409410411412413414415"
            + "416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
            + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented"
            + "503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, "
            + "Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,"
            + "application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,"
            + "sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

    private static final byte[] BYTES = build();

    private SpdyDictionary() {}

    /** Shared: don't modify it. */
    static byte[] bytes() {
        return BYTES;
    }

    private static byte[] build() {
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        for (String word : WORDS.split(" ")) {
            bytes.writeInt(word.length());
            bytes.writeBytes(word.replace('_', ' ').getBytes(US_ASCII));
        }
        bytes.writeBytes(TEXT.getBytes(US_ASCII));
        byte[] result = new byte[bytes.readableBytes()];
        bytes.readBytes(result);
        return result;
    }
}
