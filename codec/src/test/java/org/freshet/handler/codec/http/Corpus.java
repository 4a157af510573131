package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Public test material stored next to the project: one JSON object per line, with the bytes of a case and the expected
 * outcome. The system property {@code freshet.corpora} names its folder; tests are skipped if the folder is missing.
 */
public final class Corpus {
    /**
     * One case.
     *
     * @param expect accept, reject or either
     * @param detail strings, numbers as Long, Boolean, null, lists and maps
     */
    public record Case(String id, byte[] bytes, String expect, Map<String, Object> detail) {
        public String text() {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        @Override
        public String toString() {
            return id;
        }
    }

    private Corpus() {}

    /** All cases of {@code name}.jsonl. Skips the calling test if the file is missing. */
    public static List<Case> read(String name) throws IOException {
        // Tests run in their module's folder; the corpora folder is a sibling of the project's root.
        Path folder = Path.of(System.getProperty("freshet.corpora", "../../shared/corpora"));
        Path file = folder.resolve(name + ".jsonl");
        assumeTrue(Files.isRegularFile(file), () -> "no " + file + "; -Dfreshet.corpora=DIR says where it is");
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank()) {
                cases.add(of(new Json(line).map()));
            }
        }
        return cases;
    }

    @SuppressWarnings("unchecked")
    private static Case of(Map<String, Object> fields) {
        return new Case(
                (String) fields.get("id"),
                Base64.getDecoder().decode((String) fields.get("bytes")),
                (String) fields.get("expect"),
                (Map<String, Object>) fields.get("detail"));
    }

    /** Reads well-formed JSON; numbers are integers. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Map<String, Object> map() {
            Map<String, Object> map = new LinkedHashMap<>();
            expect('{');
            while (!skip('}')) {
                String key = string();
                expect(':');
                map.put(key, value());
                skip(',');
            }
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            expect('[');
            while (!skip(']')) {
                list.add(value());
                skip(',');
            }
            return list;
        }

        private Object value() {
            return switch (peek()) {
                case '{' -> map();
                case '[' -> list();
                case '"' -> string();
                case 't' -> word("true", Boolean.TRUE);
                case 'f' -> word("false", Boolean.FALSE);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private Object word(String word, Object value) {
            at += word.length();
            return value;
        }

        private Long number() {
            int start = at;
            while (at < text.length() && "+-0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return Long.valueOf(text.substring(start, at));
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            expect('"');
            while (text.charAt(at) != '"') {
                char c = text.charAt(at++);
                string.append(c == '\\' ? escaped() : c);
            }
            at++;
            return string.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            int plain = "bfnrt".indexOf(c);
            if (c == 'u') {
                at += 4;
                return (char) Integer.parseInt(text, at - 4, at, 16);
            }
            return plain < 0 ? c : "\b\f\n\r\t".charAt(plain);
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private boolean skip(char c) {
            boolean there = peek() == c;
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char c) {
            if (!skip(c)) {
                throw new IllegalArgumentException("no '" + c + "' at " + at + " of " + text);
            }
        }
    }
}
