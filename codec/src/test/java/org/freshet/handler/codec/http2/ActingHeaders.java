package org.freshet.handler.codec.http2;

import java.util.Iterator;
import java.util.Map;
import org.freshet.handler.codec.http.DefaultHttpHeaders;

/** Headers of a user's class, which does something each time it is read. */
final class ActingHeaders extends DefaultHttpHeaders {
    private final Runnable action;

    ActingHeaders(Runnable action) {
        this.action = action;
    }

    @Override
    public String get(String name) {
        action.run();
        return super.get(name);
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        action.run();
        return super.iterator();
    }
}
