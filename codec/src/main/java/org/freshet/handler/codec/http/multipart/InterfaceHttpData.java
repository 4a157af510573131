package org.freshet.handler.codec.http.multipart;

/** A named part of a form. The order is that of the names, whatever their case, among parts of one type. */
public interface InterfaceHttpData extends Comparable<InterfaceHttpData> {
    /** What a part of a form is. */
    enum HttpDataType {
        /** A field: {@link org.freshet.handler.codec.http.multipart.Attribute}. */
        Attribute,
        /** A file: {@link org.freshet.handler.codec.http.multipart.FileUpload}. */
        FileUpload,
        /** Text around the parts that an encoder writes. */
        InternalAttribute
    }

    /** The name of the field, as the form has it. */
    String getName();

    HttpDataType getHttpDataType();
}
