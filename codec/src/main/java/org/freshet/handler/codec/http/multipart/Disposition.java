package org.freshet.handler.codec.http.multipart;

import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The {@code Content-Disposition} of a part (RFC 7578 4.2). Immutable. */
final class Disposition {
    private final String type;
    private final String name;
    private final String filename;

    /** @throws IllegalArgumentException if the value is malformed */
    Disposition(String value) {
        HeaderParameters parameters = new HeaderParameters(value);
        type = parameters.value();
        if (!HeaderSyntax.isToken(type)) {
            throw new IllegalArgumentException("not a content disposition: " + HeaderSyntax.printable(value));
        }
        String encodedName = parameters.get("name");
        name = encodedName == null ? null : FormNames.blankControls(unescape(encodedName));
        String encodedFilename = parameters.getExtended("filename");
        filename = encodedFilename == null ? null : FormNames.cleanFilename(unescape(encodedFilename));
    }

    /** Reverses how browsers escape quotation marks and line ends. */
    private static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        return text.replace("%22", "\"")
                .replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%0d", "\r")
                .replace("%0a", "\n");
    }

    boolean isFormData() {
        return type.equals("form-data");
    }

    /** Whether this is allowed inside a multipart/mixed part. */
    boolean isAttachment() {
        return type.equals("attachment") || type.equals("file");
    }

    /** Null if the part has no name. */
    String name() {
        return name;
    }

    /** Null if the part is not a file. */
    String filename() {
        return filename;
    }
}
