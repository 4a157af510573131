package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Random;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.seams.Attackers.Strings;

/** What one attacker does in a round, with its own connections. It ignores the server's reaction and starts again. */
enum AttackKind {
    /** Heads that never end, a few bytes at a time. */
    SLOW_HEADS {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.onEach(50, "GET / HTTP/1.1\r\nHost: a\r\n", "X-" + round + ": a\r\n");
        }
    },
    /** Forms that arrive one byte now and then. */
    SLOW_BODIES {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.onEach(50, FORM + "Content-Length: 1000000\r\n\r\n" + PART, "x");
        }
    },
    /** Many requests for a large file, with nothing read. */
    NEVER_READS {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.onEach(20, "GET /files/large.bin HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200), "");
            if (round % 700 == 699) { // by then the server has closed the connections
                hands.leave(false);
            }
        }
    },
    /** Connections that do nothing and disappear. */
    FLOOD {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.onEach(100, "", "");
            hands.leave(round % 2 == 0);
        }
    },
    /** A few bytes of gzip followed by megabytes, or bytes that inflate to many. */
    GZIP_TAILS {
        private final byte[] tail = new byte[64 * 1024];
        private final byte[] bomb = ZlibStreams.gzipped(new byte[8 * 1024 * 1024]);

        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.send(FORM + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
            hands.sendChunk(ZlibStreams.gzipped(PART.getBytes(ISO_8859_1)));
            for (int i = 0; i < 64; i++) {
                hands.sendChunk(round % 2 == 0 ? tail : bomb);
            }
            hands.leave(false);
        }
    },
    /** Endless trailers. */
    ENDLESS_TRAILERS {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.send(FORM + "Transfer-Encoding: chunked\r\n\r\n0\r\n");
            for (int i = 0; i < 10_000; i++) {
                hands.send("X-" + i + ": " + "y".repeat(40) + "\r\n");
            }
            hands.leave(false);
        }
    },
    /** Files that are partly on disk when the client disappears. */
    ABORTED_UPLOADS {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.send(FORM + "Content-Length: 1000000\r\n\r\n" + PART + "z".repeat(100_000));
            hands.leave(round % 2 == 0);
        }
    },
    /** Many ranges of a file, overlapping, backwards and beyond its end. */
    RANGES {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            StringBuilder ranges = new StringBuilder("bytes=0-");
            for (int i = 0; i < 5 + round % 300; i++) {
                ranges.append(round % 2 == 0 ? ",0-" : "," + (1_000_000 - i) + "-" + (1_100_000 + i));
            }
            hands.send("GET /files/large.bin HTTP/1.1\r\nHost: a\r\nRange: " + ranges + "\r\n\r\n");
            hands.readSome(200_000);
            hands.leave(round % 3 == 0);
        }
    },
    /** Requests followed by invalid bytes. */
    PIPELINED_GARBAGE {
        private final Random random = new Random(11);

        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            byte[] garbage = new byte[2000];
            random.nextBytes(garbage);
            hands.send("GET /?name=b HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1 + round % 20)
                    + new String(garbage, ISO_8859_1));
            hands.readSome(1000);
            hands.leave(false);
        }
    },
    /** Connections that are reset while the server reads, works or writes. */
    RESETS {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            hands.send("GET /files/large.bin HTTP/1.1\r\nHost: a\r\n\r\n".substring(0, 20 + round % 23));
            if (round % 2 == 0) {
                hands.readSome(1 + round % 5000);
            }
            hands.leave(true);
        }
    },
    /** HTTP/2 with zero windows, empty frames, and reset streams. */
    HTTP_2 {
        @Override
        void round(Attackers.Hands hands, int round) throws IOException {
            switch (round % 4) {
                case 0 -> hands.send(Strings.http2(0) + Strings.gets(1, 100, "/files/large.bin", false));
                case 1 -> hands.send(Strings.http2(65_535) + Strings.gets(1, 500, "/files/large.bin", true));
                case 2 -> hands.send(Strings.http2(65_535) + Strings.post(1) + Strings.smallData(1, 5000));
                default -> hands.send(Strings.http2(1) + Strings.gets(1, 50, "/", false) + Strings.pings(3000));
            }
            hands.readSome(500);
            if (round % 8 > 3) {
                hands.leave(round % 3 == 0);
            } else {
                hands.keep(30); // open streams whose windows stay closed
            }
        }
    };

    private static final String FORM =
            "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=ab\r\n";
    private static final String PART = "--ab\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n";

    abstract void round(Attackers.Hands hands, int round) throws IOException;
}
