package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.util.Objects;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Checks names of fields and files, and compares objects by name. Stateless; any thread. */
final class FormNames {
    private FormNames() {}

    /**
     * Replaces controls in a field's name with blanks, and removes blanks at both ends.
     *
     * @throws IllegalArgumentException if nothing is left
     */
    static String checkFieldName(String name) {
        String cleaned = blankControls(Objects.requireNonNull(name, "name")).strip();
        if (cleaned.isEmpty()) {
            throw new IllegalArgumentException("the name of a field is empty");
        }
        return cleaned;
    }

    /** @throws IllegalArgumentException if the name could break out of a header */
    static String checkFilename(String filename) {
        for (int i = 0; i < filename.length(); i++) {
            char c = filename.charAt(i);
            if (isControl(c) || c == '"' || c == '\\') {
                throw new IllegalArgumentException(
                        "a file name must not contain controls, quotation marks or backslashes: "
                                + HeaderSyntax.printable(filename));
            }
        }
        return filename;
    }

    /** @throws IllegalArgumentException if the text contains a control */
    static String checkValue(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (isControl(value.charAt(i))) {
                throw new IllegalArgumentException(
                        what + " must not contain controls: " + HeaderSyntax.printable(value));
            }
        }
        return value;
    }

    /**
     * Cleans a file name from a client so that {@link #checkFilename} accepts it. If it is a Windows path, as old
     * browsers send it, only the last component is kept.
     */
    static String cleanFilename(String filename) {
        boolean path = filename.startsWith("\\\\") || filename.length() > 2 && filename.startsWith(":\\", 1);
        String last = path ? filename.substring(filename.lastIndexOf('\\') + 1) : filename;
        StringBuilder cleaned = null;
        for (int i = 0; i < last.length(); i++) {
            char c = last.charAt(i);
            boolean bad = isControl(c) || c == '"' || c == '\\';
            if (bad && cleaned == null) {
                cleaned = new StringBuilder(last.length()).append(last, 0, i);
            }
            if (cleaned != null && c != '"' && c != '\\') {
                cleaned.append(bad ? ' ' : c);
            }
        }
        return cleaned == null ? last : cleaned.toString();
    }

    static String blankControls(String text) {
        StringBuilder blanked = null;
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i))) {
                if (blanked == null) {
                    blanked = new StringBuilder(text);
                }
                blanked.setCharAt(i, ' ');
            }
        }
        return blanked == null ? text : blanked.toString();
    }

    static boolean isControl(char c) {
        return c < ' ' || c == 0x7f;
    }

    // ---- comparison: by name, ignoring case ----

    static int hash(String name) {
        int hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = 31 * hash + Character.toLowerCase(Character.toUpperCase(name.charAt(i)));
        }
        return hash;
    }

    static int compareAttributes(Attribute one, InterfaceHttpData other) {
        if (!(other instanceof Attribute)) {
            throw incomparable(one, other);
        }
        return one.getName().compareToIgnoreCase(other.getName());
    }

    static int compareFiles(FileUpload one, InterfaceHttpData other) {
        if (!(other instanceof FileUpload)) {
            throw incomparable(one, other);
        }
        return one.getName().compareToIgnoreCase(other.getName());
    }

    static ClassCastException incomparable(InterfaceHttpData one, InterfaceHttpData other) {
        return new ClassCastException(one.getHttpDataType() + " cannot be compared with " + other.getHttpDataType());
    }

    /** The text for toString of a file. */
    static String describe(FileUpload file) {
        Charset charset = file.getCharset();
        return "Content-Disposition: form-data; name=\"" + file.getName() + "\"; filename=\"" + file.getFilename()
                + "\"\r\n" + HttpHeaders.Names.CONTENT_TYPE + ": " + file.getContentType()
                + (charset == null ? "" : "; charset=" + charset.name()) + "\r\n" + HttpHeaders.Names.CONTENT_LENGTH
                + ": "
                + file.length() + "\r\nCompleted: " + file.isCompleted() + "\r\nIsInMemory: " + file.isInMemory();
    }
}
