package org.freshet.handler.codec.http.multipart;

/**
 * Describes the file in a part. The values are checked so that they can't break out of their header. Not thread-safe.
 */
final class FileDetails {
    private String filename;
    private String contentType;

    /** Null if the part doesn't have one. */
    private String transferEncoding;

    FileDetails(String filename, String contentType, String transferEncoding) {
        setFilename(filename);
        setContentType(contentType);
        setTransferEncoding(transferEncoding);
    }

    String filename() {
        return filename;
    }

    void setFilename(String filename) {
        this.filename = FormNames.checkFilename(filename);
    }

    String contentType() {
        return contentType;
    }

    void setContentType(String contentType) {
        this.contentType = FormNames.checkValue("a content type", contentType);
    }

    String transferEncoding() {
        return transferEncoding;
    }

    void setTransferEncoding(String encoding) {
        transferEncoding = encoding == null ? null : FormNames.checkValue("a content transfer encoding", encoding);
    }
}
