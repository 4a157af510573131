package org.freshet.handler.codec.http.server.files;

import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.StatusAnswer;

/**
 * What a request for a file is answered with.
 *
 * @param head with the content, if that is short
 * @param content what is sent behind the head; null for nothing
 * @param isMissing whether there is no such file, so that the path may be another handler's
 */
record FileAnswer(HttpResponse head, RangedContent content, boolean isMissing) {
    /** A status alone, which says itself in a line of text; 204 and 304 have none. */
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
