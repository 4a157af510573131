package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;

/** Adds to the request headers that a response depends on, and never takes one away. Stateless. */
final class Vary {
    private Vary() {}

    /** @param name of a request's header */
    static void add(HttpHeaders response, String name) {
        for (String value : response.getAll(Names.VARY)) {
            for (String present : value.split(",")) {
                if (present.trim().equalsIgnoreCase(name) || present.trim().equals("*")) {
                    return;
                }
            }
        }
        response.add(Names.VARY, (Object) name);
    }
}
