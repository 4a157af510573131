package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import org.freshet.handler.codec.http.HttpRequest;

/** Makes the objects that hold the content of fields and files, and knows which of them to delete. Thread-safe. */
public interface HttpDataFactory {
    /** @param maxSize bytes of each field or file at most; negative for no limit. Holds for what is made from then on */
    void setMaxLimit(long maxSize);

    Attribute createAttribute(HttpRequest request, String name);

    /** @throws IllegalArgumentException if the value cannot be stored */
    Attribute createAttribute(HttpRequest request, String name, String value);

    /** @param size bytes that the content will have; 0 if not known. Content beyond it is refused */
    FileUpload createFileUpload(
            HttpRequest request,
            String name,
            String filename,
            String contentType,
            String contentTransferEncoding,
            Charset charset,
            long size);

    /** Leaves the data to the caller: neither this factory nor the garbage collector deletes its file from then on. */
    void removeHttpDataFromClean(HttpRequest request, InterfaceHttpData data);

    /** Deletes what was made for the request. */
    void cleanRequestHttpDatas(HttpRequest request);

    /** Deletes what was made for any request. */
    void cleanAllHttpDatas();
}
