package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import org.freshet.handler.codec.http.HttpRequest;

/** Creates the objects that hold the content of fields and files, and keeps track of which to delete. Thread-safe. */
public interface HttpDataFactory {
    /**
     * @param maxSize maximum bytes of each field or file; negative for no limit. Applies to objects created from now on
     */
    void setMaxLimit(long maxSize);

    Attribute createAttribute(HttpRequest request, String name);

    /** @throws IllegalArgumentException if the value cannot be stored */
    Attribute createAttribute(HttpRequest request, String name, String value);

    /** @param size expected bytes of content; 0 if not known. Content beyond it is refused */
    FileUpload createFileUpload(
            HttpRequest request,
            String name,
            String filename,
            String contentType,
            String contentTransferEncoding,
            Charset charset,
            long size);

    /**
     * Hands the data over to the caller: neither this factory nor the garbage collector deletes its file from now on.
     */
    void removeHttpDataFromClean(HttpRequest request, InterfaceHttpData data);

    /** Deletes everything created for the request. */
    void cleanRequestHttpDatas(HttpRequest request);

    /** Deletes everything created for any request. */
    void cleanAllHttpDatas();
}
