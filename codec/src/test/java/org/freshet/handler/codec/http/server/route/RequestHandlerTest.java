package org.freshet.handler.codec.http.server.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.MalformedHttpMessageException;
import org.freshet.handler.codec.http.server.ErrorPage;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.codec.http.server.TextClient;
import org.freshet.handler.codec.http2.Http2TextClient;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handler after a codec, in memory. */
class RequestHandlerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String FAILED = "500 Internal Server Error\n";

    private MemoryChannel channel;

    private void serve(RequestHandler handler) {
        channel = MemoryChannel.connected(new HttpServerCodec(), new HttpChunkAggregator(1000), handler);
    }

    private void send(String latin1) {
        channel.receive(ChannelBuffers.copiedBuffer(latin1, ISO_8859_1));
    }

    private String answer(String request) {
        send(request);
        return answer();
    }

    private String answer() {
        StringBuilder text = new StringBuilder();
        channel.takeWritten().forEach(buffer -> text.append(((ChannelBuffer) buffer).toString(ISO_8859_1)));
        return text.toString();
    }

    private static String closing(String status) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + (status.length() + 1) + "\r\nConnection: close\r\n\r\n" + status + "\n";
    }

    private static String plain(String status) {
        return closing(status).replace("Connection: close\r\n", "");
    }

    private static String ok(String content) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + content.length()
                + "\r\n\r\n" + content;
    }

    /** The notifications of the handlers after this one: a single failure. */
    private Throwable fault() {
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        return assertInstanceOf(RequestFunctionException.class, caught.get(0)).getCause();
    }

    // ---- functions ----

    @Test
    void shouldAnswerEachRequestWithItsFunction() {
        serve(RequestHandler.of(request -> HttpResponses.text(request.path() + " " + request.text())));
        assertEquals(ok("/a "), answer("GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(ok("/b abc"), answer("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"));
        assertEquals(
                ok("/c abcd"),
                answer("POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldAnswerWithARouter() {
        serve(RequestHandler.of(Router.builder()
                .get("/users/{id}", request -> HttpResponses.text("user " + request.pathParameter("id")))
                .async(
                        HttpMethod.GET,
                        "/later",
                        request -> CompletableFuture.supplyAsync(() -> HttpResponses.text("late"), Runnable::run))
                .build()));
        assertEquals(ok("user 7"), answer("GET /users/7 HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(ok("user 7"), answer("GET http://a/users/7 HTTP/1.1\r\nHost: a\r\n\r\n"));
        String head = answer("HEAD /users/7 HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(ok("user 7"), head + "user 7");
        assertEquals(ok("late"), answer("GET /later HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(plain("404 Not Found"), answer("GET /x HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(plain("400 Bad Request"), answer("GET /% HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(
                plain("405 Method Not Allowed").replace("\r\n\r\n", "\r\nAllow: GET, HEAD, OPTIONS\r\n\r\n"),
                answer("PUT /users/7 HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(
                "HTTP/1.1 204 No Content\r\nAllow: GET, HEAD, OPTIONS\r\n\r\n",
                answer("OPTIONS /users/7 HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(List.of(), channel.takeCaught());
        assertTrue(channel.isOpen());
    }

    /** The handler needs no codec around it, and passes on everything that isn't a request. */
    @Test
    void shouldPassOnOtherMessages() {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(RequestHandler.of(request -> HttpResponses.noContent()));
        embedder.offer("a frame");
        assertEquals("a frame", embedder.poll());
    }

    @Test
    void shouldServeHttp2() {
        TextClient client =
                new Http2TextClient(HttpLimits.defaults(), () -> new ChannelHandler[0], () -> new ChannelHandler[] {
                    new HttpChunkAggregator(1000),
                    RequestHandler.of(Router.builder()
                            .get("/{name}", request -> HttpResponses.text(request.pathParameter("name")))
                            .get("/fail", request -> {
                                throw new IllegalStateException("a fault");
                            })
                            .build())
                });
        client.receive("GET /b%20c HTTP/1.1\r\nHost: a\r\n\r\n");
        String sent = client.sent();
        assertTrue(sent.startsWith("HTTP/1.1 200"), sent);
        assertTrue(sent.contains("b c"), sent);
        client.receive("GET /fail HTTP/1.1\r\nHost: a\r\n\r\n");
        sent = client.sent();
        assertTrue(sent.startsWith("HTTP/1.1 500") && sent.contains(FAILED), sent);
        assertEquals(1, client.takeCaught().size());
        client.receive("GET /d HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(client.sent().startsWith("HTTP/1.1 200"), "the connection serves other requests");
    }

    // ---- responses held by an earlier handler ----

    private static HttpResponse contradicting() {
        HttpResponse response = HttpResponses.text("too much");
        HttpHeaders.setContentLength(response, 1);
        return response;
    }

    /** Requests a file, and then what can't be sent. The responses are written while the file waits to be sent. */
    private void refuseBehindFile(Path file, HttpResponse... later) throws IOException {
        List<CompletableFuture<HttpResponse>> answers = new ArrayList<>();
        RequestHandler handler = RequestHandler.ofAsync(request -> {
            answers.add(new CompletableFuture<>());
            return answers.get(answers.size() - 1);
        });
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(4).build();
        channel = MemoryChannel.connected(
                new HttpServerCodec(limits), new ChunkedWriteHandler(), new HttpChunkAggregator(1000), handler);
        send(GET.repeat(1 + later.length));
        channel.turnWritable(false);
        answers.get(0).complete(HttpResponses.file(Files.writeString(file, "content of a file")));
        for (int i = 0; i < later.length; i++) {
            answers.get(1 + i).complete(later[i]);
        }
        assertTrue(answer().endsWith("\r\n\r\n"), "only the head of the file");
        channel.turnWritable(true);
    }

    @Test
    void shouldAnswer500IfAHeldResponseIsRefused(@TempDir Path folder) throws IOException {
        refuseBehindFile(folder.resolve("a"), contradicting());
        String sent = answer();
        assertTrue(sent.startsWith("content of a file") && sent.endsWith(closing(FAILED.strip())), sent);
        assertFalse(channel.isOpen());
        assertTrue(channel.takeCaught().stream().anyMatch(RequestFunctionException.class::isInstance));
    }

    /** The client would take the next response for the one that was refused. */
    @Test
    void shouldCloseIfAnotherResponseIsHeldAfterTheOneThatIsRefused(@TempDir Path folder) throws IOException {
        refuseBehindFile(folder.resolve("a"), contradicting(), HttpResponses.text("next"));
        assertEquals("content of a file", answer());
        assertFalse(channel.isOpen());
    }

    // ---- CONNECT ----

    private static final String CONNECT = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseConnectThatAFunctionForEverythingWouldGrant(boolean later) {
        RequestHandler handler = later
                ? RequestHandler.ofAsync(r -> CompletableFuture.completedStage(HttpResponses.text("granted")))
                : RequestHandler.of(request -> HttpResponses.text("granted"));
        channel = MemoryChannel.connected(
                new HttpServerCodec(), new HttpKeepAliveHandler(false), new HttpChunkAggregator(1000), handler);
        assertEquals(
                closing("405 Method Not Allowed").replace("Connection:", "Allow: \r\nConnection:"),
                answer(CONNECT + GET));
        assertFalse(channel.isOpen());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldPassConnectToTheFunctionIfAllowed() {
        ErrorPage page = (request, status, cause) -> HttpResponses.text(status, "page");
        serve(RequestHandler.of(request -> HttpResponses.text("")).withConnect().withErrorPage(page));
        assertTrue(answer(CONNECT).startsWith("HTTP/1.1 200 OK"));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldCloseAfterARoutersAnswerToConnect() {
        serve(RequestHandler.of(
                Router.builder().get("/", r -> HttpResponses.noContent()).build()));
        assertTrue(answer(CONNECT + GET).startsWith("HTTP/1.1 405"));
        assertFalse(channel.isOpen());
    }

    // ---- failures ----

    private static List<Throwable> thrown() {
        return List.of(
                new IllegalStateException("a fault"),
                new IOException("a fault"),
                new AssertionError("a fault"),
                new StackOverflowError(),
                new OutOfMemoryError("injected by a test"));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> HttpResponse sneak(Throwable t) throws T {
        throw (T) t;
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void shouldAnswer500ToAFunctionThatThrows(Throwable thrown) {
        serve(RequestHandler.of(request -> sneak(thrown)));
        assertEquals(closing("500 Internal Server Error"), answer(GET));
        assertSame(thrown, fault());
        assertFalse(channel.isOpen());
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void shouldAnswer500ToAStageThatFails(Throwable thrown) {
        serve(RequestHandler.ofAsync(request -> CompletableFuture.failedStage(thrown)));
        assertEquals(closing("500 Internal Server Error"), answer(GET));
        assertSame(thrown, fault());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNameTheRequestInTheFault() {
        serve(RequestHandler.of(request -> null));
        answer("GET /a%0ab?secret HTTP/1.1\r\nHost: a\r\n\r\n");
        List<Throwable> caught = channel.takeCaught();
        assertEquals("GET /a%0ab: the function failed", caught.get(0).getMessage());
        assertEquals(
                "the function returned null instead of a response",
                caught.get(0).getCause().getMessage());
    }

    private static HttpResponse chunked() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        return response;
    }

    private static List<RequestHandler> unfit() {
        return List.of(
                RequestHandler.of(request -> null),
                RequestHandler.ofAsync(request -> null),
                RequestHandler.ofAsync(request -> CompletableFuture.completedStage(null)),
                RequestHandler.of(request -> chunked()),
                RequestHandler.of(request -> HttpResponses.status(HttpResponseStatus.CONTINUE)),
                RequestHandler.ofAsync(request ->
                        CompletableFuture.completedStage(HttpResponses.status(HttpResponseStatus.PROCESSING))));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void shouldAnswer500ToAnInvalidResponse(RequestHandler handler) {
        serve(handler);
        assertEquals(closing("500 Internal Server Error"), answer(GET));
        assertInstanceOf(RuntimeException.class, fault());
    }

    @Test
    void shouldAnswerWithTheStatusOfAFailureAndReportNothing() {
        serve(RequestHandler.of(request -> {
            throw request.path().equals("/a")
                    ? new HttpStatusException(HttpResponseStatus.CONFLICT, "taken")
                    : new MalformedHttpMessageException("not a cookie");
        }));
        assertEquals(plain("409 Conflict"), answer("GET /a HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(plain("400 Bad Request"), answer("GET /b HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(List.of(), channel.takeCaught());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldAnswer400ToAMalformedQuery() {
        serve(RequestHandler.of(request -> HttpResponses.text(request.queryParameter("name"))));
        assertEquals(plain("400 Bad Request"), answer("GET /?name=% HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(ok("you"), answer("GET /?name=you HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @Test
    void shouldLookIntoExceptionsOfStages() {
        serve(RequestHandler.ofAsync(request -> CompletableFuture.supplyAsync(() -> "", Runnable::run)
                .thenApply(text -> {
                    throw new CompletionException(new HttpStatusException(HttpResponseStatus.GONE, "gone"));
                })));
        assertEquals(plain("410 Gone"), answer(GET));
    }

    @Test
    void shouldRefuseAStatusThatIsNotAnError() {
        assertThrows(
                IllegalArgumentException.class, () -> new HttpStatusException(HttpResponseStatus.OK, "not an error"));
        serve(RequestHandler.of(request -> {
            throw new MalformedHttpMessageException("odd", HttpResponseStatus.OK);
        }));
        assertEquals(closing("500 Internal Server Error"), answer(GET));
    }

    // ---- without an aggregator ----

    @Test
    void shouldReportAMissingAggregator() {
        RequestHandler handler = RequestHandler.of(request -> HttpResponses.text("never"));
        channel = MemoryChannel.connected(new HttpServerCodec(), handler);
        assertEquals(
                closing("500 Internal Server Error"),
                answer("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"));
        assertEquals(
                "the request's content arrives in chunks: put an HttpChunkAggregator before the RequestHandler",
                fault().getMessage());
        assertEquals(List.of(), channel.takeReceived());
    }

    // ---- later ----

    private static final class LateFunction implements AsyncRequestFunction {
        final List<CompletableFuture<HttpResponse>> stages = new ArrayList<>();

        @Override
        public CompletionStage<HttpResponse> apply(RoutedRequest request) {
            stages.add(new CompletableFuture<>());
            return stages.get(stages.size() - 1);
        }
    }

    @Test
    void shouldAnswerOnTheThreadThatCompletesTheStage() {
        LateFunction function = new LateFunction();
        serve(RequestHandler.ofAsync(function));
        assertEquals("", answer(GET));
        Thread other = new Thread(() -> function.stages.get(0).complete(HttpResponses.text("late")));
        other.start();
        Await.end(other);
        assertEquals(ok("late"), answer());
        send(GET);
        Thread failing = new Thread(() -> function.stages.get(1).completeExceptionally(new IOException("late")));
        failing.start();
        Await.end(failing);
        assertEquals(closing("500 Internal Server Error"), answer());
        assertInstanceOf(IOException.class, fault());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDropAnswersAfterTheChannelHasClosed(boolean fails) {
        LateFunction function = new LateFunction();
        serve(RequestHandler.ofAsync(function));
        send(GET);
        channel.close();
        if (fails) {
            function.stages.get(0).completeExceptionally(new IOException("late"));
        } else {
            function.stages.get(0).complete(HttpResponses.text("late"));
        }
        assertEquals("", answer());
        assertEquals(List.of(), channel.takeCaught());
    }

    /** A future that runs its listener immediately, and then throws or runs it again. */
    private static final class OddFuture extends CompletableFuture<HttpResponse> {
        private final boolean throwing;

        OddFuture(boolean throwing) {
            this.throwing = throwing;
        }

        @Override
        public CompletableFuture<HttpResponse> whenComplete(
                java.util.function.BiConsumer<? super HttpResponse, ? super Throwable> action) {
            action.accept(HttpResponses.text("once"), null);
            if (throwing) {
                throw new IllegalStateException("odd");
            }
            action.accept(HttpResponses.text("twice"), null);
            return this;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAnswerOnceWhateverTheStageDoes(boolean throwing) {
        serve(RequestHandler.ofAsync(request -> new OddFuture(throwing)));
        assertEquals(ok("once"), answer(GET));
    }

    // ---- error pages ----

    @Test
    void shouldRequestPagesForErrorsOfTheHandler() {
        List<Throwable> causes = new ArrayList<>();
        ErrorPage page = (request, status, cause) -> {
            causes.add(cause);
            return HttpResponses.json(status, "{\"path\":\"" + request.getUri() + "\"}");
        };
        IllegalStateException fault = new IllegalStateException("a fault");
        serve(RequestHandler.of(Router.builder()
                        .get("/fail", request -> {
                            throw fault;
                        })
                        .get("/own", request -> HttpResponses.text(HttpResponseStatus.NOT_FOUND, "own"))
                        .build())
                .withErrorPage(page));
        String notFound = answer("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(
                "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"path\":\"/x\"}",
                notFound);
        assertTrue(answer("POST /own HTTP/1.1\r\nHost: a\r\n\r\n").contains("Allow: GET, HEAD, OPTIONS\r\n"));
        assertTrue(answer("GET /own HTTP/1.1\r\nHost: a\r\n\r\n").endsWith("own"));
        assertEquals(2, causes.size());
        assertTrue(answer("GET /fail HTTP/1.1\r\nHost: a\r\n\r\n").contains("Connection: close\r\n"));
        assertSame(fault, causes.get(2));
        assertSame(fault, fault());
    }

    private static List<ErrorPage> oddPages() {
        return List.of(
                (request, status, cause) -> {
                    throw new AssertionError("a page");
                },
                (request, status, cause) -> chunked(),
                (request, status, cause) -> HttpResponses.status(HttpResponseStatus.CONTINUE));
    }

    @ParameterizedTest
    @MethodSource("oddPages")
    void shouldUseTheDefaultPageInsteadOfOneThatFails(ErrorPage page) {
        RequestFunction failing = request -> {
            throw new IOException("a fault");
        };
        serve(RequestHandler.of(failing).withErrorPage(page));
        assertEquals(closing("500 Internal Server Error"), answer(GET));
        Throwable reported = channel.takeCaught().get(0);
        assertInstanceOf(IOException.class, reported.getCause());
        assertEquals("GET /: the error page failed", reported.getSuppressed()[0].getMessage());
    }

    @Test
    void shouldUseTheDefaultPageInsteadOfNull() {
        serve(RequestHandler.of(Router.builder().get("/a", r -> null).build()).withErrorPage((r, s, c) -> null));
        assertEquals(plain("404 Not Found"), answer(GET));
        assertEquals(List.of(), channel.takeCaught());
    }

    // ---- responses that cannot be sent ----

    private void serveRefusing(int count, boolean throwing) {
        int[] left = {count};
        ChannelDownstreamHandler refusing = (ctx, e) -> {
            if (!(e instanceof MessageEvent) || left[0]-- <= 0) {
                ctx.sendDownstream(e);
            } else if (throwing) {
                throw new IllegalStateException("refused");
            } else {
                e.getFuture().setFailure(new IllegalStateException("refused"));
            }
        };
        channel = MemoryChannel.connected(
                new HttpServerCodec(), refusing, RequestHandler.of(request -> HttpResponses.text("refused")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAnswer500IfAHandlerRefusesTheResponse(boolean throwing) {
        serveRefusing(1, throwing);
        assertEquals(closing("500 Internal Server Error"), answer(GET));
        assertNotEquals(List.of(), channel.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCloseIfNothingCanBeSent(boolean throwing) {
        serveRefusing(2, throwing);
        assertEquals("", answer(GET));
        assertFalse(channel.isOpen());
        assertNotEquals(List.of(), channel.takeCaught());
    }
}
