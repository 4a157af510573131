package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;

/** An uploaded file with its content in a local file. */
public class DiskFileUpload extends AbstractDiskHttpData implements FileUpload {
    /** The directory for temporary files; null for the JVM's default. Read each time a file is created. */
    public static String baseDirectory;

    /**
     * Whether temporary files are deleted when their object is garbage collected, or the JVM exits. Read for each new
     * file.
     */
    public static boolean deleteOnExitTemporaryFile = true;

    public static final String prefix = "FUp_";
    public static final String postfix = ".tmp";

    private final FileDetails details;

    /**
     * @param charset null for UTF-8
     * @param size expected bytes of content; 0 if not known. Content beyond it is refused
     * @throws IllegalArgumentException if the name is empty, or the filename invalid, see {@link #setFilename}
     */
    public DiskFileUpload(
            String name,
            String filename,
            String contentType,
            String contentTransferEncoding,
            Charset charset,
            long size) {
        super(name, charset, size);
        details = new FileDetails(filename, contentType, contentTransferEncoding);
    }

    @Override
    public HttpDataType getHttpDataType() {
        return HttpDataType.FileUpload;
    }

    @Override
    public String getFilename() {
        return details.filename();
    }

    @Override
    public void setFilename(String filename) {
        details.setFilename(filename);
    }

    @Override
    public String getContentType() {
        return details.contentType();
    }

    @Override
    public void setContentType(String contentType) {
        details.setContentType(contentType);
    }

    @Override
    public String getContentTransferEncoding() {
        return details.transferEncoding();
    }

    @Override
    public void setContentTransferEncoding(String contentTransferEncoding) {
        details.setTransferEncoding(contentTransferEncoding);
    }

    @Override
    public int hashCode() {
        return FormNames.hash(name);
    }

    /** Files are equal if the names of their fields are, ignoring case. */
    @Override
    public boolean equals(Object o) {
        return o instanceof FileUpload && name.equalsIgnoreCase(((FileUpload) o).getName());
    }

    @Override
    public int compareTo(InterfaceHttpData other) {
        return FormNames.compareFiles(this, other);
    }

    public int compareTo(FileUpload other) {
        return FormNames.compareFiles(this, other);
    }

    @Override
    public String toString() {
        return FormNames.describe(this);
    }

    @Override
    protected boolean deleteOnExit() {
        return deleteOnExitTemporaryFile;
    }

    @Override
    protected String getBaseDirectory() {
        return baseDirectory;
    }

    /** Null, because the name is fixed. */
    @Override
    protected String getDiskFilename() {
        return null;
    }

    @Override
    protected String getPostfix() {
        return postfix;
    }

    @Override
    protected String getPrefix() {
        return prefix;
    }
}
