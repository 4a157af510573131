package org.freshet.handler.codec.http.multipart;

import java.io.IOException;

/** A field of a form that is not a file. */
public interface Attribute extends HttpData {
    /** The content decoded with {@link #getCharset()}. */
    String getValue() throws IOException;

    /** @throws NullPointerException if the value is null */
    void setValue(String value) throws IOException;
}
