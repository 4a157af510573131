package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * Makes 4xx and 5xx responses, for example as JSON. {@link HttpServerPipeline.Builder#errorPages} uses it for requests that are refused
 * and handlers that fail, {@link org.freshet.handler.codec.http.server.route.RequestHandler#withErrorPage} for functions that fail or are
 * missing. It isn't asked about responses that the application has made.
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
     * Makes the response to a request that failed or was refused. Called on the thread that noticed, so it must not block.
     *
     * @param request null if its head could not be read
     * @param status of the 4xx or 5xx class
     * @param cause what a handler or function threw, or why the request was refused; null if that is not known. Its message isn't meant for
     *     clients
     * @return a complete response; null uses the default page, the status as a line of text. {@code Allow} is added to a 405 that has none
     * @throws Exception uses the default page, and is reported or logged
     */
    HttpResponse page(HttpRequest request, HttpResponseStatus status, Throwable cause) throws Exception;
}
