package org.freshet.handler.codec.http.server.files;

import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.StatusAnswer;

/**
 * The response to a request for a file.
 *
 * @param head includes the content if that is short
 * @param content sent after the head; null for nothing
 * @param isMissing whether there is no such file, so that another handler may answer for the path
 */
record FileAnswer(HttpResponse head, RangedContent content, boolean isMissing) {
    /** A response with only the status, also as a line of text; 204 and 304 have no content. */
    static FileAnswer ofStatus(HttpResponseStatus status) {
        return new FileAnswer(StatusAnswer.of(status), null, false);
    }

    static FileAnswer missing(HttpResponseStatus status) {
        return new FileAnswer(StatusAnswer.of(status), null, true);
    }

    FileAnswer with(String header, Object value) {
        head.headers().set(header, value);
        return this;
    }
}
