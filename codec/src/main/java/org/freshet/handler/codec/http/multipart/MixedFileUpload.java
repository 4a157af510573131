package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;

/** An uploaded file with its content in memory, until it becomes too large and moves to a local file. */
public class MixedFileUpload extends MixedHttpData<FileUpload> implements FileUpload {
    /** Expected bytes of content; 0 if not known. */
    private final long announcedSize;

    /**
     * @param charset null for UTF-8
     * @param size expected bytes of content; 0 if not known. Content beyond it is refused
     * @param limitSize maximum bytes of content kept in memory
     * @throws IllegalArgumentException if the name is empty, or the filename invalid, see {@link #setFilename}
     */
    public MixedFileUpload(
            String name,
            String filename,
            String contentType,
            String contentTransferEncoding,
            Charset charset,
            long size,
            long limitSize) {
        super(
                size > limitSize
                        ? new DiskFileUpload(name, filename, contentType, contentTransferEncoding, charset, size)
                        : new MemoryFileUpload(name, filename, contentType, contentTransferEncoding, charset, size),
                limitSize);
        announcedSize = size;
    }

    @Override
    final FileUpload onDisk(FileUpload present) {
        return new DiskFileUpload(
                present.getName(),
                present.getFilename(),
                present.getContentType(),
                present.getContentTransferEncoding(),
                present.getCharset(),
                announcedSize);
    }

    @Override
    public String getFilename() {
        return data().getFilename();
    }

    @Override
    public void setFilename(String filename) {
        data().setFilename(filename);
    }

    @Override
    public String getContentType() {
        return data().getContentType();
    }

    @Override
    public void setContentType(String contentType) {
        data().setContentType(contentType);
    }

    @Override
    public String getContentTransferEncoding() {
        return data().getContentTransferEncoding();
    }

    @Override
    public void setContentTransferEncoding(String contentTransferEncoding) {
        data().setContentTransferEncoding(contentTransferEncoding);
    }
}
