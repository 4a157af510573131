package org.freshet.handler.codec.http.multipart;

/**
 * A file of a form. Its names come from the client: nothing keeps {@link #getFilename()} from holding {@code ../}, so it
 * must not be used as a path.
 */
public interface FileUpload extends HttpData {
    /** The name that the client gave; may be empty if no file was chosen. */
    String getFilename();

    /**
     * @throws IllegalArgumentException if the name holds a control character, a quotation mark or a backslash, with which
     *     it could leave its place in a header
     */
    void setFilename(String filename);

    /** @throws IllegalArgumentException if the type holds a control character */
    void setContentType(String contentType);

    /** The media type without its parameters. */
    String getContentType();

    /** @throws IllegalArgumentException if the encoding holds a control character */
    void setContentTransferEncoding(String contentTransferEncoding);

    /** As the part's head says, or the default of MIME, {@code 7bit}. The content is never decoded by it. */
    String getContentTransferEncoding();
}
