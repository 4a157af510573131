package org.freshet.handler.codec.http.server.route;

import java.util.concurrent.CompletionStage;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Answers a request later. Use it for work that takes time or blocks:
 *
 * <pre>{@code
 * AsyncRequestFunction report = request ->
 *         CompletableFuture.supplyAsync(() -> HttpResponses.text("made by a thread of the executor"), executor);
 * Router router = Router.builder().async(HttpMethod.GET, "/report", report).build();
 * }</pre>
 */
@FunctionalInterface
public interface AsyncRequestFunction {
    /**
     * Starts to answer a request. Runs on an I/O thread, so it must not block.
     *
     * @return a stage that any thread may complete with the response, or with an exception; see
     *     {@link RequestFunction#apply}. Null is answered with 500. A response that arrives after the channel has
     *     closed is dropped
     * @throws Exception see {@link RequestFunction#apply}
     */
    CompletionStage<? extends HttpResponse> apply(RoutedRequest request) throws Exception;
}
