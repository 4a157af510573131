package org.freshet.handler.codec.http.server.route;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.server.route.PathTemplate.Segment;

/**
 * A node in the tree of routes: the routes whose templates begin with the same segments. A search visits each node at
 * most once, so its cost is bounded by the number of templates, whatever the path. Built by one thread, and not changed
 * afterwards.
 */
final class RouteNode {
    private final Map<String, RouteNode> literals = new HashMap<>();

    /** The routes that end here. */
    private final Map<HttpMethod, Route> routes = new HashMap<>();

    /** The routes that continue with a wildcard. */
    private final Map<HttpMethod, Route> wildcards = new HashMap<>();

    /** Null if no template continues with a parameter. */
    private RouteNode parameter;

    void add(Route route) {
        RouteNode node = this;
        for (Segment segment : route.template().segments) {
            switch (segment.kind()) {
                case LITERAL -> node = node.literals.computeIfAbsent(segment.text(), text -> new RouteNode());
                case PARAMETER -> node = node.parameter();
                case WILDCARD -> {
                    node.wildcards.put(route.method(), route);
                    return;
                }
            }
        }
        node.routes.put(route.method(), route);
    }

    private RouteNode parameter() {
        if (parameter == null) {
            parameter = new RouteNode();
        }
        return parameter;
    }

    /**
     * Finds the most specific route for a method; for HEAD, a route for GET also counts. Null if no route matches.
     *
     * @param path decoded
     * @param from where the next segment begins: after a slash, or one past the end
     */
    Route find(String path, int from, HttpMethod method) {
        if (from > path.length()) {
            return of(routes, method);
        }
        int to = SafePath.endOfSegment(path, from);
        RouteNode literal = literal(path, from, to);
        Route found = literal == null ? null : literal.find(path, to + 1, method);
        if (found == null && parameter != null && from < to) {
            found = parameter.find(path, to + 1, method);
        }
        return found == null && matchesWildcard(path, from) ? of(wildcards, method) : found;
    }

    private RouteNode literal(String path, int from, int to) {
        return literals.isEmpty() ? null : literals.get(path.substring(from, to));
    }

    private static Route of(Map<HttpMethod, Route> routes, HttpMethod method) {
        Route route = routes.get(method);
        return route == null && HttpMethod.HEAD.equals(method) ? routes.get(HttpMethod.GET) : route;
    }

    /**
     * The rest must not begin with a slash, or it could be taken for an absolute path, and must not contain two in a
     * row.
     */
    private boolean matchesWildcard(String path, int from) {
        return !wildcards.isEmpty() && !path.startsWith("/", from) && path.indexOf("//", from) < 0;
    }

    /** Adds the methods of all matching routes. */
    void collectMethods(String path, int from, Set<HttpMethod> methods) {
        if (from > path.length()) {
            methods.addAll(routes.keySet());
            return;
        }
        int to = SafePath.endOfSegment(path, from);
        RouteNode literal = literal(path, from, to);
        if (literal != null) {
            literal.collectMethods(path, to + 1, methods);
        }
        if (parameter != null && from < to) {
            parameter.collectMethods(path, to + 1, methods);
        }
        if (matchesWildcard(path, from)) {
            methods.addAll(wildcards.keySet());
        }
    }
}
