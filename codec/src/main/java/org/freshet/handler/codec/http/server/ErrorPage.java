package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * Creates 4xx and 5xx responses, for example as JSON. {@link HttpServerPipeline.Builder#errorPages} uses it for refused
 * requests and failed handlers, {@link org.freshet.handler.codec.http.server.route.RequestHandler#withErrorPage} for
 * functions that fail or are missing. It isn't used for responses that the application creates.
 *
 * <pre>{@code
 * ErrorPage problems = (request, status, cause) -> HttpResponses.json(status, "{\"status\":" + status.getCode() + "}");
 * ChannelPipelineFactory pipelines = HttpServerPipeline.builder(timer)
 *         .errorPages(problems)
 *         .aggregate(64 * 1024)
 *         .handler("application", () -> RequestHandler.of(router).withErrorPage(problems))
 *         .build();
 * }</pre>
 */
@FunctionalInterface
public interface ErrorPage {
    /**
     * Creates the response to a request that failed or was refused. Called on the thread that detected this, so it must
     * not block.
     *
     * @param request null if its head could not be read
     * @param status a 4xx or 5xx status
     * @param cause the exception of a handler or function, or why the request was refused; null if not known. Don't
     *     show its message to clients
     * @return a complete response; null sends the default page, which is the status as a line of text. A 405 without
     *     {@code Allow} gets one
     * @throws Exception sends the default page; the exception is reported or logged
     */
    HttpResponse page(HttpRequest request, HttpResponseStatus status, Throwable cause) throws Exception;
}
