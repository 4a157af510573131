package org.freshet.handler.codec.http.server.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Chooses the function that answers a request, by method and path. One router can serve all connections.
 *
 * <pre>{@code
 * Router router = Router.builder()
 *         .get("/greeting", request -> HttpResponses.text("Hello!"))
 *         .get("/users/{id}", request -> HttpResponses.text("user " + request.pathParameter("id")))
 *         .get("/docs/{page*}", request -> HttpResponses.text("page " + request.pathParameter("page")))
 *         .build();
 * RequestHandler handler = RequestHandler.of(router);
 * HttpServerPipeline pipelines = HttpServerPipeline.builder(timer)
 *         .aggregate(64 * 1024)
 *         .handler("application", () -> handler)
 *         .build();
 * }</pre>
 *
 * <p><b>Templates.</b> A template's segment is literal text (not escaped), or a parameter {@code {name}} for one
 * segment that isn't empty. The last one may be a wildcard {@code {name*}} for the rest of the path, which may be empty
 * but contains no empty segments. {@code /users} and {@code /users/} are different paths.
 *
 * <p><b>Choice.</b> The most specific template for the request's method wins: a literal precedes a parameter, and a
 * parameter precedes a wildcard. If two routes match the same path and neither is more specific, adding the second one
 * fails.
 *
 * <p><b>Other requests.</b> The router answers 404 if no template matches the path, and 405 with {@code Allow} if
 * templates match but none has the method. The function for {@code GET} also answers {@code HEAD}, and the codec leaves
 * the content out. {@code OPTIONS} is answered with {@code Allow}, unless it has a route. Paths are decoded as UTF-8,
 * once. Malformed and ambiguous paths get 400: those with {@code .} or {@code ..} as a segment, a backslash, a control
 * character or an encoded slash.
 *
 * <p>Immutable; any thread may use it.
 */
public final class Router {
    /** Builds a router. Not thread-safe. */
    public static final class Builder {
        private final List<Route> routes = new ArrayList<>();

        private Builder() {}

        /** See {@link #on}; HEAD is answered as well. */
        public Builder get(String template, RequestFunction function) {
            return on(HttpMethod.GET, template, function);
        }

        /** See {@link #on}. */
        public Builder post(String template, RequestFunction function) {
            return on(HttpMethod.POST, template, function);
        }

        /** See {@link #on}. */
        public Builder put(String template, RequestFunction function) {
            return on(HttpMethod.PUT, template, function);
        }

        /** See {@link #on}. */
        public Builder patch(String template, RequestFunction function) {
            return on(HttpMethod.PATCH, template, function);
        }

        /** See {@link #on}. */
        public Builder delete(String template, RequestFunction function) {
            return on(HttpMethod.DELETE, template, function);
        }

        /**
         * Adds a route.
         *
         * @param method any method except CONNECT, which has no path
         * @throws IllegalArgumentException if the template is malformed, or if it matches a path of another route with
         *     this method and neither is more specific
         */
        public Builder on(HttpMethod method, String template, RequestFunction function) {
            return add(
                    new Route(method, new PathTemplate(template), Objects.requireNonNull(function, "function"), null));
        }

        /**
         * Adds a route whose function answers later.
         *
         * @param method any method except CONNECT, which has no path
         * @throws IllegalArgumentException if the template is malformed, or if it matches a path of another route with
         *     this method and neither is more specific
         */
        public Builder async(HttpMethod method, String template, AsyncRequestFunction function) {
            return add(
                    new Route(method, new PathTemplate(template), null, Objects.requireNonNull(function, "function")));
        }

        private Builder add(Route route) {
            if (Objects.requireNonNull(route.method(), "method").equals(HttpMethod.CONNECT)) {
                throw new IllegalArgumentException("CONNECT has no path: " + route);
            }
            for (Route other : routes) {
                String problem = other.method().equals(route.method())
                        ? TemplateOverlap.problem(other.template(), route.template())
                        : null;
                if (problem != null) {
                    throw new IllegalArgumentException("cannot add " + route + ": " + other + " " + problem);
                }
            }
            routes.add(route);
            return this;
        }

        /** @throws IllegalStateException if there are no routes */
        public Router build() {
            if (routes.isEmpty()) {
                throw new IllegalStateException("a router needs at least one route");
            }
            return new Router(routes);
        }
    }

    /** Routes without parameters, by method and by path as usually sent. This avoids parsing the path. */
    private final Map<HttpMethod, Map<String, Route>> literals = new HashMap<>();

    private final RouteNode root = new RouteNode();

    /** The value of Allow for the server as a whole. */
    private final String allMethods;

    private Router(List<Route> routes) {
        for (Route route : routes) {
            root.add(route);
            if (route.template().isSentAsIs()) {
                literals.computeIfAbsent(route.method(), method -> new HashMap<>())
                        .put(route.template().toString(), route);
            }
        }
        allMethods = allow(routes.stream().map(Route::method).collect(Collectors.toSet()));
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the route for a request, and sets the request's parameters.
     *
     * @throws HttpStatusException 400, 404 or 405
     */
    Route route(RoutedRequest request) {
        Map<String, Route> ofMethod = literals.get(request.method());
        Route literal = ofMethod == null ? null : ofMethod.get(request.path());
        return literal == null ? search(request) : literal;
    }

    private Route search(RoutedRequest request) {
        HttpMethod method = request.method();
        if (request.path().equals("*") || HttpMethod.CONNECT.equals(method)) {
            return routeOfOthers(method, allMethods);
        }
        String path = SafePath.decode(request.path());
        Route route = root.find(path, 1, method);
        if (route != null) {
            request.onRouted(route.template(), path);
            return route;
        }
        Set<HttpMethod> allowed = new TreeSet<>();
        root.collectMethods(path, 1, allowed);
        if (allowed.isEmpty()) {
            throw HttpStatusException.notFound();
        }
        return routeOfOthers(method, allow(allowed));
    }

    private static Route routeOfOthers(HttpMethod method, String allow) {
        if (!HttpMethod.OPTIONS.equals(method)) {
            throw HttpStatusException.notAllowed(allow);
        }
        return Route.ofAll(request -> options(allow), null);
    }

    private static HttpResponse options(String allow) {
        HttpResponse response = HttpResponses.noContent();
        response.headers().set(Names.ALLOW, allow);
        return response;
    }

    private static String allow(Set<HttpMethod> methods) {
        Set<HttpMethod> all = new TreeSet<>(methods);
        all.add(HttpMethod.OPTIONS);
        if (all.contains(HttpMethod.GET)) {
            all.add(HttpMethod.HEAD);
        }
        return all.stream().map(HttpMethod::getName).collect(Collectors.joining(", "));
    }
}
