package org.freshet.microbench.compare.report;

import java.util.Collection;
import java.util.Map;

/** Writes maps, collections, text and numbers as JSON. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json json = new Json();
        json.value(value, 0);
        return json.out.append('\n').toString();
    }

    private void value(Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            members(map, depth);
        } else if (value instanceof Collection<?> items) {
            elements(items, depth);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            out.append("null");
        } else if (value instanceof Number) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private void members(Map<?, ?> map, int depth) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            newLine(depth + 1);
            text(entry.getKey().toString());
            out.append(": ");
            value(entry.getValue(), depth + 1);
            separator = ",";
        }
        out.append(map.isEmpty() ? "{" : "");
        newLine(depth);
        out.append('}');
    }

    private void elements(Collection<?> items, int depth) {
        String separator = "[";
        for (Object item : items) {
            out.append(separator);
            value(item, depth + 1);
            separator = ", ";
        }
        out.append(items.isEmpty() ? "[]" : "]");
    }

    private void newLine(int depth) {
        out.append('\n').append("  ".repeat(depth));
    }

    private void text(String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        out.append('"');
    }
}
