package org.freshet.handler.codec.http.server;

import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Adds to the request headers that a response depends on, and never takes one away. Stateless. */
final class Vary {
    private Vary() {}

    /** @param name of a request's header */
    static void add(HttpHeaders response, String name) {
        List<String> present = response.getAll(Names.VARY);
        if (!HeaderSyntax.hasToken(present, name) && !HeaderSyntax.hasToken(present, "*")) {
            response.add(Names.VARY, name);
        }
    }
}
