/**
 * A small toolkit for HTTP services: functions from request to response, a router in front of them, and helpers that
 * create responses. Everything is built on the pipeline, and each part can be used separately.
 *
 * <p>Start with {@link org.freshet.handler.codec.http.server.route.Router}. A
 * {@link org.freshet.handler.codec.http.server.route.RequestHandler} is the channel handler that runs it. Put it after
 * an {@link org.freshet.handler.codec.http.HttpChunkAggregator}, for example with
 * {@link org.freshet.handler.codec.http.server.HttpServerPipeline}. Functions receive a
 * {@link org.freshet.handler.codec.http.server.route.RoutedRequest} and create their responses with
 * {@link org.freshet.handler.codec.http.server.route.HttpResponses}.
 */
package org.freshet.handler.codec.http.server.route;
