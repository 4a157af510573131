package org.freshet.handler.codec.http.multipart;

/** A named part of a form. Parts of one type are ordered by name, ignoring case. */
public interface InterfaceHttpData extends Comparable<InterfaceHttpData> {
    /** The kind of a part. */
    enum HttpDataType {
        /** A field: {@link org.freshet.handler.codec.http.multipart.Attribute}. */
        Attribute,
        /** A file: {@link org.freshet.handler.codec.http.multipart.FileUpload}. */
        FileUpload,
        /** Text that an encoder writes around the parts. */
        InternalAttribute
    }

    /** The name of the field in the form. */
    String getName();

    HttpDataType getHttpDataType();
}
