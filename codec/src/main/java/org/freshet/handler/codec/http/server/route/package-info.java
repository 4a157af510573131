/**
 * A small toolkit for HTTP services: functions from request to response, in front of them a router, and helpers that make
 * responses. Everything is built on the pipeline, and each part works alone.
 *
 * <p>Start with {@link org.freshet.handler.codec.http.server.route.Router}. A {@link
 * org.freshet.handler.codec.http.server.route.RequestHandler} is the channel handler that runs it; put it behind an {@link
 * org.freshet.handler.codec.http.HttpChunkAggregator}, for example with {@link
 * org.freshet.handler.codec.http.server.HttpServerPipeline}. Functions receive a {@link
 * org.freshet.handler.codec.http.server.route.RoutedRequest} and make their responses with {@link
 * org.freshet.handler.codec.http.server.route.HttpResponses}.
 */
package org.freshet.handler.codec.http.server.route;
