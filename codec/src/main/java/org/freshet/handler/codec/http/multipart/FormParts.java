package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The pieces of a multipart form in order: delimiters and heads as texts, with the contents between them. Consecutive
 * files with the same name go into one multipart/mixed part, unless the mode is HTML5.
 */
final class FormParts {
    private static final Random RANDOM = new SecureRandom();
    private static final String CRLF = "\r\n";

    private final List<InterfaceHttpData> pieces = new ArrayList<>();
    private final Charset charset;
    private final boolean mixedAllowed;
    private final String boundary = newBoundary();

    /** Where text is appended; null right after a content. */
    private InternalAttribute text;

    private FormParts(Charset charset, boolean mixedAllowed) {
        this.charset = writesAscii(charset) ? charset : StandardCharsets.UTF_8;
        this.mixedAllowed = mixedAllowed;
    }

    /** Delimiters and heads are ASCII lines, whatever the charset of the names in them (RFC 2046 5.1). */
    private static boolean writesAscii(Charset charset) {
        return Arrays.equals("-".getBytes(charset), new byte[] {'-'});
    }

    /** @throws IllegalArgumentException if a name or type contains characters that are not allowed in a head */
    static FormParts of(List<InterfaceHttpData> datas, Charset charset, boolean mixedAllowed) {
        FormParts parts = new FormParts(charset, mixedAllowed);
        parts.addAll(datas);
        return parts;
    }

    /** 128 random bits: the chance that content contains the delimiter is negligible. */
    private static String newBoundary() {
        return String.format("%016x%016x", RANDOM.nextLong(), RANDOM.nextLong());
    }

    private void addAll(List<InterfaceHttpData> datas) {
        for (int i = 0; i < datas.size(); ) {
            int end = i + 1;
            if (mixedAllowed && datas.get(i) instanceof FileUpload) {
                while (end < datas.size() && isOfSameField(datas.get(i), datas.get(end))) {
                    end++;
                }
            }
            if (end - i > 1) {
                addMixed(datas.subList(i, end));
            } else {
                addPart(datas.get(i));
            }
            i = end;
        }
        append("--" + boundary + "--" + CRLF);
    }

    private static boolean isOfSameField(InterfaceHttpData one, InterfaceHttpData other) {
        return other instanceof FileUpload && other.getName().equals(one.getName());
    }

    private void addPart(InterfaceHttpData data) {
        append("--" + boundary + CRLF + "Content-Disposition: form-data; name=\"" + escaped(data.getName()) + '"');
        if (data instanceof FileUpload) {
            addFile((FileUpload) data);
        } else {
            Attribute attribute = (Attribute) data;
            append(CRLF + "Content-Type: text/plain; charset="
                    + attribute.getCharset().name() + CRLF + CRLF);
            add(attribute);
        }
    }

    private void addMixed(List<InterfaceHttpData> files) {
        String mixedBoundary = newBoundary();
        append("--" + boundary + CRLF + "Content-Disposition: form-data; name=\""
                + escaped(files.get(0).getName()) + '"' + CRLF + "Content-Type: multipart/mixed; boundary="
                + mixedBoundary + CRLF + CRLF);
        for (InterfaceHttpData file : files) {
            append("--" + mixedBoundary + CRLF + "Content-Disposition: attachment");
            addFile((FileUpload) file);
        }
        append("--" + mixedBoundary + "--" + CRLF);
    }

    /** Appends the file name, the rest of the head, and the content. */
    private void addFile(FileUpload file) {
        append("; filename=\"" + escaped(file.getFilename()) + '"' + CRLF);
        append("Content-Type: " + FormNames.checkValue("a content type", file.getContentType()));
        String encoding = file.getContentTransferEncoding();
        boolean binary = "binary".equalsIgnoreCase(encoding);
        if (!binary && file.getCharset() != null) {
            append("; charset=" + file.getCharset().name());
        }
        if (binary) {
            append(CRLF + "Content-Transfer-Encoding: binary");
        }
        append(CRLF + CRLF);
        add(file);
    }

    /** Escapes as browsers do, and backslashes as well, since some readers treat them as escapes. */
    private static String escaped(String name) {
        return FormNames.checkValue("a name", name).replace("\"", "%22").replace("\\", "%5C");
    }

    private void append(String appended) {
        if (text == null) {
            text = new InternalAttribute(charset);
            pieces.add(text);
        }
        text.addValue(appended);
    }

    private void add(HttpData content) {
        pieces.add(content);
        text = null;
        append(CRLF);
    }

    String boundary() {
        return boundary;
    }

    List<InterfaceHttpData> pieces() {
        return pieces;
    }
}
