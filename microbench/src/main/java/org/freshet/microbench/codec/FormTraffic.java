package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** A form to decode: a beginning, a piece that is received many times, and an end. */
public enum FormTraffic {
    /** A file of random bytes. */
    BINARY_FILE(FormTraffic.FILE_PIECES) {
        @Override
        byte[] piece() {
            byte[] piece = new byte[PIECE_BYTES];
            new Random(1).nextBytes(piece);
            return piece;
        }
    },
    /** A file of line ends, each of which could begin a delimiter. */
    LINE_END_FILE(FormTraffic.FILE_PIECES) {
        @Override
        byte[] piece() {
            byte[] piece = new byte[PIECE_BYTES];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = (byte) (i % 2 == 0 ? '\r' : '\n');
            }
            return piece;
        }
    },
    /** 900 url-encoded fields; a third of them contain escapes. */
    URL_ENCODED(1) {
        @Override
        byte[] piece() {
            StringBuilder form = new StringBuilder();
            for (int i = 0; i < FIELDS; i++) {
                form.append(i == 0 ? "" : "&").append("field").append(i).append("=some+value+of+the+form");
                form.append(i % 3 == 0 ? "%2C+and+an+umlaut+%C3%A4" : "");
            }
            return ascii(form.toString());
        }
    };

    static final String BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
    static final int FIELDS = 900;

    private static final int PIECE_BYTES = 64 * 1024;

    /** 100 MiB. */
    private static final int FILE_PIECES = 1600;

    private final int pieces;

    FormTraffic(int pieces) {
        this.pieces = pieces;
    }

    abstract byte[] piece();

    int pieces() {
        return pieces;
    }

    boolean isMultipart() {
        return this != URL_ENCODED;
    }

    String contentType() {
        return isMultipart() ? "multipart/form-data; boundary=" + BOUNDARY : "application/x-www-form-urlencoded";
    }

    byte[] beginning() {
        return isMultipart()
                ? ascii("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.bin\"\r\n"
                        + "Content-Type: application/octet-stream\r\n\r\n")
                : new byte[0];
    }

    byte[] end() {
        return isMultipart() ? ascii("\r\n--" + BOUNDARY + "--\r\n") : new byte[0];
    }

    /** The expected result of a decoder: bytes of the file, or number of fields. */
    long expected() {
        return isMultipart() ? (long) PIECE_BYTES * pieces : FIELDS;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
