package org.freshet.handler.codec.http.server.files;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Maps the extension of a file's name to its {@code Content-Type}. Text types get {@code charset=utf-8}. A name without
 * an extension, or with an unknown one, is {@code application/octet-stream}.
 *
 * <p>Immutable; any thread may use it.
 */
public final class MimeTypes {
    private static final String UNKNOWN = "application/octet-stream";

    /** A type, followed by its extensions. */
    private static final String[][] COMMON = {
        {"text/html", "html", "htm"},
        {"text/css", "css"},
        {"text/javascript", "js", "mjs"},
        {"text/plain", "txt", "text", "log", "ini", "conf"},
        {"text/markdown", "md"},
        {"text/csv", "csv"},
        {"text/calendar", "ics"},
        {"text/vtt", "vtt"},
        {"application/json", "json", "map"},
        {"application/ld+json", "jsonld"},
        {"application/manifest+json", "webmanifest"},
        {"application/xml", "xml", "xsl", "xsd"},
        {"application/xhtml+xml", "xhtml"},
        {"application/rss+xml", "rss"},
        {"application/atom+xml", "atom"},
        {"application/pdf", "pdf"},
        {"application/wasm", "wasm"},
        {"application/zip", "zip"},
        {"application/gzip", "gz", "tgz"},
        {"application/x-tar", "tar"},
        {"application/x-xz", "xz"},
        {"application/x-bzip2", "bz2"},
        {"application/zstd", "zst"},
        {"application/x-7z-compressed", "7z"},
        {"application/java-archive", "jar", "war"},
        {"application/rtf", "rtf"},
        {"application/epub+zip", "epub"},
        {"application/msword", "doc"},
        {"application/vnd.ms-excel", "xls"},
        {"application/vnd.ms-powerpoint", "ppt"},
        {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
        {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
        {"application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"},
        {"image/svg+xml", "svg"},
        {"image/png", "png"},
        {"image/apng", "apng"},
        {"image/jpeg", "jpg", "jpeg"},
        {"image/gif", "gif"},
        {"image/webp", "webp"},
        {"image/avif", "avif"},
        {"image/bmp", "bmp"},
        {"image/tiff", "tif", "tiff"},
        {"image/x-icon", "ico"},
        {"audio/mpeg", "mp3"},
        {"audio/ogg", "oga", "ogg", "opus"},
        {"audio/wav", "wav"},
        {"audio/flac", "flac"},
        {"audio/aac", "aac"},
        {"audio/mp4", "m4a"},
        {"audio/midi", "mid", "midi"},
        {"video/mp4", "mp4", "m4v"},
        {"video/mpeg", "mpg", "mpeg"},
        {"video/webm", "webm"},
        {"video/ogg", "ogv"},
        {"video/quicktime", "mov"},
        {"video/x-matroska", "mkv"},
        {"video/mp2t", "ts"},
        {"application/vnd.apple.mpegurl", "m3u8"},
        {"font/woff", "woff"},
        {"font/woff2", "woff2"},
        {"font/ttf", "ttf"},
        {"font/otf", "otf"},
    };

    private static final MimeTypes STANDARD = new MimeTypes(commonTypes());

    /** By extension in lower case. */
    private final Map<String, String> types;

    private MimeTypes(Map<String, String> types) {
        this.types = types;
    }

    private static Map<String, String> commonTypes() {
        Map<String, String> types = new HashMap<>();
        for (String[] row : COMMON) {
            for (int i = 1; i < row.length; i++) {
                types.put(row[i], withCharset(row[0]));
            }
        }
        return types;
    }

    private static String withCharset(String type) {
        boolean text = type.startsWith("text/") || type.endsWith("xml");
        return text ? type + "; charset=utf-8" : type;
    }

    /** The usual types on the Web: pages, scripts, images, fonts, audio, video, archives and office documents. */
    public static MimeTypes defaults() {
        return STANDARD;
    }

    /**
     * Adds a type to these, or replaces one.
     *
     * @param extension without a dot; case is ignored
     * @param type the complete value of {@code Content-Type}; nothing is added to it
     * @throws IllegalArgumentException if the extension is empty or contains a dot or slash, or if the type is not a
     *     valid header value
     */
    public MimeTypes with(String extension, String type) {
        if (extension.isEmpty() || extension.indexOf('.') >= 0 || extension.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not an extension: " + extension);
        }
        if (type.indexOf('/') <= 0) {
            throw new IllegalArgumentException("not a media type: " + type);
        }
        Map<String, String> more = new HashMap<>(types);
        more.put(extension.toLowerCase(Locale.ROOT), HeaderSyntax.checkValue("Content-Type", type));
        return new MimeTypes(more);
    }

    /**
     * @param fileName a name or path; only the text after the last dot counts
     * @return never null
     */
    public String typeOf(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return dot < 0
                ? UNKNOWN
                : types.getOrDefault(fileName.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
    }
}
