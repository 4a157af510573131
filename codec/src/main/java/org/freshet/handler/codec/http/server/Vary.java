package org.freshet.handler.codec.http.server;

import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Adds names to {@code Vary}, the request headers that a response depends on. Never removes any. Stateless. */
final class Vary {
    private Vary() {}

    /** @param name the name of a request header */
    static void add(HttpHeaders response, String name) {
        List<String> present = response.getAll(Names.VARY);
        if (!HeaderSyntax.hasToken(present, name) && !HeaderSyntax.hasToken(present, "*")) {
            response.add(Names.VARY, name);
        }
    }
}
