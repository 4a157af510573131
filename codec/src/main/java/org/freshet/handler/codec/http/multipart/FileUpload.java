package org.freshet.handler.codec.http.multipart;

/**
 * An uploaded file. Its names come from the client: {@link #getFilename()} may contain {@code ../}, so never use it as
 * a path.
 */
public interface FileUpload extends HttpData {
    /** The name sent by the client; may be empty if no file was chosen. */
    String getFilename();

    /**
     * @throws IllegalArgumentException if the name contains a control character, a quotation mark or a backslash, with
     *     which it could break out of its header
     */
    void setFilename(String filename);

    /** @throws IllegalArgumentException if the type contains a control character */
    void setContentType(String contentType);

    /** The media type without its parameters. */
    String getContentType();

    /** @throws IllegalArgumentException if the encoding contains a control character */
    void setContentTransferEncoding(String contentTransferEncoding);

    /** The encoding from the part's head, by default MIME's {@code 7bit}. The content is never decoded with it. */
    String getContentTransferEncoding();
}
