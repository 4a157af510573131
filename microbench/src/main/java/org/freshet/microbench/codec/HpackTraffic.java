package org.freshet.microbench.codec;

import java.util.Arrays;
import java.util.List;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;

/** Fields sent by browsers and servers: names and values, alternating. */
public enum HpackTraffic {
    REQUEST(
            ":method", "GET",
            ":scheme", "https",
            ":authority", "www.example.org",
            ":path", "/assets/application-4f2c9d1b.js",
            "user-agent",
                    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
            "accept", "*/*",
            "accept-language", "en-US,en;q=0.9,de;q=0.8",
            "accept-encoding", "gzip, deflate, br, zstd",
            "referer", "https://www.example.org/articles/2024/index.html",
            "sec-ch-ua", "\"Chromium\";v=\"126\", \"Not.A/Brand\";v=\"24\"",
            "sec-ch-ua-mobile", "?0",
            "sec-fetch-site", "same-origin",
            "sec-fetch-mode", "no-cors",
            "sec-fetch-dest", "script",
            "cookie", "session=3c8f1a90d27b4e65a1f0c4b87d92e635; theme=dark; consent=20240611"),
    RESPONSE(
            ":status", "200",
            "date", "Tue, 11 Jun 2024 09:41:07 GMT",
            "server", "freshet",
            "content-type", "application/javascript; charset=utf-8",
            "content-length", "48213",
            "cache-control", "public, max-age=31536000, immutable",
            "etag", "\"5f2c9d1b-bc55\"",
            "last-modified", "Mon, 10 Jun 2024 17:03:44 GMT",
            "vary", "accept-encoding",
            "x-content-type-options", "nosniff",
            "strict-transport-security", "max-age=31536000; includeSubDomains");

    private static final int LONGEST_BLOCK = 4096;

    private final List<String> fields;

    HpackTraffic(String... fields) {
        this.fields = List.of(fields);
    }

    List<String> fields() {
        return fields;
    }

    /** Encodes the fields as the next block; {@code block} must be large enough. */
    static int encode(HpackEncoder encoder, List<String> fields, byte[] block) {
        int length = encoder.begin(block, 0);
        for (int i = 0; i < fields.size(); i += 2) {
            length = encoder.encode(fields.get(i), fields.get(i + 1), block, length);
        }
        return length;
    }

    byte[] nextBlock(HpackEncoder encoder) {
        byte[] block = newBlock();
        return Arrays.copyOf(block, encode(encoder, fields, block));
    }

    static byte[] newBlock() {
        return new byte[LONGEST_BLOCK];
    }
}
