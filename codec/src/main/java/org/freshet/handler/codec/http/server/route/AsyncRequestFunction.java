package org.freshet.handler.codec.http.server.route;

import java.util.concurrent.CompletionStage;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Answers a request later. Use it for what takes time or blocks:
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
     * Starts to answer a request. It runs on an I/O thread, so it must not block.
     *
     * @return a stage that any thread may complete, with what {@link RequestFunction#apply} may return or throw; a null stage is
     *     answered with 500. A response that comes after the channel has closed is dropped
     * @throws Exception as {@link RequestFunction#apply}
     */
    CompletionStage<? extends HttpResponse> apply(RoutedRequest request) throws Exception;
}
