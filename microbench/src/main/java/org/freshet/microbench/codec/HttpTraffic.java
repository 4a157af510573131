package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;

/** The requests to decode, and the size of the reads. */
public enum HttpTraffic {
    /** Requests of 324 bytes, 16 per read; no header is read. */
    PLAINTEXT(16, false) {
        @Override
        String request() {
            return smallRequest();
        }
    },
    /** The same in reads of 7 bytes. */
    PLAINTEXT_IN_PIECES(0, false) {
        @Override
        String request() {
            return smallRequest();
        }
    },
    /** Browser requests with 20 headers, one per read; every header is read by name. */
    BROWSER(1, true) {
        @Override
        String request() {
            StringBuilder request =
                    new StringBuilder("GET /articles/2026/11/how-water-finds-its-way?page=2 HTTP/1.1\r\n");
            for (int i = 0; i < NAMES.length; i++) {
                request.append(NAMES[i]).append(": ").append(VALUES[i]).append("\r\n");
            }
            return request.append("\r\n").toString();
        }
    },
    /** A head of 0.8 KiB that arrives byte by byte. */
    SHORT_HEAD_BY_BYTE(0, false) {
        @Override
        String request() {
            return "GET / HTTP/1.1\r\nX: " + "v".repeat(790) + "\r\n\r\n";
        }
    },
    /** A head of 8 KiB that arrives byte by byte. */
    LONG_HEAD_BY_BYTE(0, false) {
        @Override
        String request() {
            return "GET / HTTP/1.1\r\nX: " + "v".repeat(7900) + "\r\n\r\n";
        }
    };

    static final String[] NAMES = {
        "Host", "Connection", "Cache-Control", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
                "Upgrade-Insecure-Requests",
        "User-Agent", "Accept", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-User", "Sec-Fetch-Dest", "Referer",
        "Accept-Encoding", "Accept-Language", "Cookie", "If-None-Match", "If-Modified-Since", "DNT"
    };

    private static final String[] VALUES = {
        "www.example.org",
        "keep-alive",
        "max-age=0",
        "\"Chromium\";v=\"126\", \"Not/A)Brand\";v=\"8\"",
        "?0",
        "\"Linux\"",
        "1",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
        "same-origin",
        "navigate",
        "?1",
        "document",
        "https://www.example.org/articles/2026/11/",
        "gzip, deflate, br, zstd",
        "en-GB,en;q=0.9,de;q=0.8",
        "session=8f14e45fceea167a5a36dedd4bea2543; theme=dark; consent=1; _id=c9f0f895fb98ab9159f51fd0297e236d",
        "\"45c48cce2e2d7fbdea1afc51c7c6ad26\"",
        "Sat, 21 Nov 2026 10:00:00 GMT",
        "1"
    };

    private final int perRead;
    private final boolean readsHeaders;

    HttpTraffic(int perRead, boolean readsHeaders) {
        this.perRead = perRead;
        this.readsHeaders = readsHeaders;
    }

    abstract String request();

    private static String smallRequest() {
        return "GET /plaintext HTTP/1.1\r\nHost: server.example.org:8080\r\n"
                + "Accept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7\r\n"
                + "User-Agent: wrk/4.2.0 (of a benchmark that sends the same again and again)\r\n"
                + "Cookie: session=8f14e45fceea167a5a36dedd4bea2543; theme=dark; c=0123456789abcdef0\r\n\r\n";
    }

    byte[] bytes() {
        return request().getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean readsHeaders() {
        return readsHeaders;
    }

    /** Returns the bytes per read. */
    int readBytes() {
        if (perRead > 0) {
            return perRead * bytes().length;
        }
        return this == PLAINTEXT_IN_PIECES ? 7 : 1;
    }
}
