package org.freshet.handler.codec.http.multipart;

/** What a part says of its file, checked so that it cannot leave its header. Not for several threads at once. */
final class FileDetails {
    private String filename;
    private String contentType;

    /** Null if the part does not say. */
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
