package org.freshet.handler.codec.http2.hpack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Field blocks with a few repeated names and values, among others that do not repeat. */
final class RandomFields {
    private static final String[] NAMES = {
        ":method",
        ":status",
        ":path",
        "content-type",
        "content-length",
        "cookie",
        "authorization",
        "x-request-id",
        "accept",
        "user-agent",
        "x-a",
        "x-b",
        "x-c",
        "x-d",
        "server",
        "date"
    };

    private RandomFields() {}

    /** Names and values, alternating. */
    static String[] next(Random random) {
        String[] fields = new String[2 * random.nextInt(12)];
        for (int i = 0; i < fields.length; i += 2) {
            boolean isNew = random.nextInt(10) == 0;
            fields[i] =
                    isNew ? "x-" + Integer.toString(random.nextInt(1 << 20), 36) : NAMES[random.nextInt(NAMES.length)];
            fields[i + 1] = value(random);
        }
        return fields;
    }

    private static String value(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "GET";
            case 2 -> String.valueOf(random.nextInt(600));
            case 3 -> "v".repeat(random.nextInt(300));
            case 4 -> latin1(random);
            default -> "value-" + random.nextInt(40);
        };
    }

    private static String latin1(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? 0xa0 + random.nextInt(0x60) : 0x21 + random.nextInt(0x5e)));
        }
        return text.toString();
    }

    static List<String> lines(String... fields) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < fields.length; i += 2) {
            lines.add(fields[i] + ": " + fields[i + 1]);
        }
        return lines;
    }

    static byte[] encode(HpackEncoder encoder, String... fields) {
        byte[] out = new byte[16_384];
        int at = encoder.begin(out, 0);
        for (int i = 0; i < fields.length; i += 2) {
            if (HpackEncoder.maxLength(fields[i], fields[i + 1]) > out.length - at) {
                out = Arrays.copyOf(out, out.length * 2);
            }
            at = encoder.encode(fields[i], fields[i + 1], out, at);
        }
        return Arrays.copyOf(out, at);
    }
}
