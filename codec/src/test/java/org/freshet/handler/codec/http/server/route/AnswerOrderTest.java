package org.freshet.handler.codec.http.server.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpErrorResponder;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With pipelining, functions may finish in any order, and clients receive the answers in the order of their requests.
 */
@Timeout(60)
class AnswerOrderTest {
    private static final int REQUESTS = 8;
    private static final Pattern ANSWER = Pattern.compile("HTTP/1.1 (\\d+) .*?\r\n\r\n(\\d*)", Pattern.DOTALL);

    private final List<CompletableFuture<HttpResponse>> stages = new ArrayList<>();
    private final MemoryChannel channel = MemoryChannel.connected(
            new HttpServerCodec(HttpLimits.defaults().toBuilder()
                    .maxPipelinedRequests(REQUESTS)
                    .build()),
            new HttpKeepAliveHandler(false),
            new HttpErrorResponder(),
            new HttpChunkAggregator(1000),
            RequestHandler.of(Router.builder()
                    .async(HttpMethod.GET, "/late", request -> {
                        stages.add(new CompletableFuture<>());
                        return stages.get(stages.size() - 1);
                    })
                    .async(HttpMethod.GET, "/none", request -> null)
                    .get("/now", request -> HttpResponses.text("0"))
                    .build()));

    private void request(String path) {
        send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private void send(String latin1) {
        channel.receive(ChannelBuffers.copiedBuffer(latin1, ISO_8859_1));
    }

    private void requestAll() {
        for (int i = 0; i < REQUESTS; i++) {
            request("/late");
        }
        assertEquals(REQUESTS, stages.size());
    }

    private void complete(int index) {
        stages.get(index).complete(HttpResponses.text(Integer.toString(index)));
    }

    /** Returns status and content of each answer. */
    private List<String> answers() {
        StringBuilder sent = new StringBuilder();
        channel.takeWritten().forEach(buffer -> sent.append(((ChannelBuffer) buffer).toString(ISO_8859_1)));
        List<String> answers = new ArrayList<>();
        for (Matcher answer = ANSWER.matcher(sent); answer.find(); ) {
            answers.add(answer.group(1) + " " + answer.group(2));
        }
        return answers;
    }

    private static List<String> expected(int count) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add("200 " + i);
        }
        return expected;
    }

    private void assertNothingHeld() {
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldSendAnswersInTheOrderOfRequestsWhenTheyAreReadyInReverse() {
        requestAll();
        for (int i = REQUESTS - 1; i > 0; i--) {
            complete(i);
            assertEquals(List.of(), answers());
        }
        assertTrue(WriteAccount.waitingBytes(channel) >= (REQUESTS - 1) * WriteAccount.MESSAGE_BYTES);
        complete(0);
        assertEquals(expected(REQUESTS), answers());
        assertNothingHeld();
        request("/now");
        assertEquals(List.of("200 0"), answers());
    }

    @Test
    void shouldHoldTheAnswerOfAnImmediateFunctionBehindLateOnes() {
        request("/late");
        request("/now");
        request("/missing");
        assertEquals(List.of(), answers());
        complete(0);
        assertEquals(List.of("200 0", "200 0", "404 404"), answers());
    }

    @Test
    void shouldSendErrorsInOrder() {
        requestAll();
        stages.get(2).completeExceptionally(new HttpStatusException(HttpResponseStatus.CONFLICT, "taken"));
        for (int i = REQUESTS - 1; i >= 0; i--) {
            complete(i);
        }
        List<String> expected = expected(REQUESTS);
        expected.set(2, "409 409");
        assertEquals(expected, answers());
        assertTrue(channel.isOpen());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldSendNothingAfterAFault() {
        requestAll();
        stages.get(2).completeExceptionally(new IOException("a fault"));
        for (int i = REQUESTS - 1; i >= 0; i--) {
            complete(i);
        }
        assertEquals(List.of("200 0", "200 1", "500 500"), answers());
        assertFalse(channel.isOpen());
        assertInstanceOf(RequestFunctionException.class, channel.takeCaught().get(0));
        assertNothingHeld();
    }

    @Test
    void shouldSendTheFaultOfAFunctionThatReturnsNoStageInOrder() {
        request("/late");
        request("/none");
        request("/late");
        assertEquals(List.of(), answers());
        complete(0);
        complete(1);
        assertEquals(List.of("200 0", "500 500"), answers());
        assertFalse(channel.isOpen());
        assertNothingHeld();
    }

    @Test
    void shouldSendNothingAfterAnAnswerThatCloses() {
        requestAll();
        HttpResponse last = HttpResponses.text("1");
        last.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        stages.get(1).complete(last);
        for (int i = REQUESTS - 1; i >= 0; i--) {
            complete(i);
        }
        assertEquals(expected(2), answers());
        assertFalse(channel.isOpen());
        assertNothingHeld();
    }

    @Test
    void shouldAnswerAMalformedRequestAfterEarlierOnes() {
        request("/late");
        request("/late");
        send("GET / HTTP/1.1\r\nno colon\r\n\r\n");
        complete(1);
        assertEquals(List.of(), answers());
        complete(0);
        assertEquals(List.of("200 0", "200 1", "400 400"), answers());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldDropHeldAnswersWhenTheChannelCloses() {
        requestAll();
        complete(5);
        complete(3);
        channel.close();
        assertNothingHeld();
        for (int i = 0; i < REQUESTS; i++) {
            complete(i);
        }
        assertEquals(List.of(), answers());
        assertNothingHeld();
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldObeyTheChannelsWriteLimit() {
        channel.limit(1000);
        request("/late");
        request("/late");
        request("/late");
        complete(2);
        assertTrue(channel.isOpen());
        stages.get(1).complete(HttpResponses.text("1".repeat(2000)));
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(List.of(), answers());
        assertNothingHeld();
    }

    @Test
    void shouldSendAnswersInOrderWhicheverThreadsCompleteThem() {
        Random random = Seeds.random();
        for (int round = 0; round < 50; round++) {
            stages.clear();
            requestAll();
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                order.add(i);
            }
            Collections.shuffle(order, random);
            List<Thread> threads = new ArrayList<>();
            for (int i : order) {
                threads.add(new Thread(() -> complete(i)));
            }
            threads.forEach(Thread::start);
            threads.forEach(Await::end);
            assertEquals(expected(REQUESTS), answers());
            assertNothingHeld();
        }
    }
}
