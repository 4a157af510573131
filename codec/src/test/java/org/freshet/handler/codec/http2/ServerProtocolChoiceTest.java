package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.Choices.events;
import static org.freshet.handler.codec.http2.Choices.has;
import static org.freshet.handler.codec.http2.Choices.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http2.Choices.Remover;
import org.freshet.handler.ssl.AgreedEngine;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which version a server's connection uses, and which events the handlers for it get. */
class ServerProtocolChoiceTest {
    private static final byte[] PREFACE = Http2ServerHandler.PREFACE;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeTimer timer = new FakeTimer();
    private final Http2Settings settings =
            Http2Settings.defaults().toBuilder().timer(timer).build();
    private final HttpServerChooser chooser = new HttpServerChooser(Channels::pipeline, settings);
    private final MemoryChannel channel = MemoryChannel.connected(chooser);

    private void receive(byte[] bytes, int from, int to) {
        channel.receive(ChannelBuffers.copiedBuffer(bytes, from, to - from));
    }

    @Test
    void shouldBeHttp2OnceTheWholePrefaceHasArrived() {
        for (int i = 0; i < PREFACE.length; i++) {
            assertTrue(has(channel, HttpServerChooser.class), "after " + i);
            assertEquals(List.of(), channel.takeWritten());
            receive(PREFACE, i, i + 1);
        }
        assertTrue(has(channel, Http2ServerHandler.class));
        assertFalse(has(channel, HttpServerChooser.class));
        assertFalse(has(channel, HttpServerCodec.class));
        assertFalse(channel.takeWritten().isEmpty(), "its SETTINGS");
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldBeHttp11AtTheFirstByteThatDiffers() {
        channel.close();
        for (int same = 0; same < PREFACE.length; same++) {
            MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(Channels::pipeline, settings));
            byte[] first = Arrays.copyOf(PREFACE, same + 1);
            first[same] ^= 1;
            other.receive(ChannelBuffers.copiedBuffer(first, 0, same));
            assertTrue(has(other, HttpServerChooser.class), "after " + same);
            other.receive(ChannelBuffers.copiedBuffer(first, same, 1));
            assertTrue(has(other, HttpServerCodec.class), "after " + same);
            assertFalse(has(other, HttpServerChooser.class));
            assertFalse(has(other, Http2ServerHandler.class));
            assertEquals(0, timer.pendingTimeouts());
            other.close();
        }
    }

    @Test
    void shouldReadTheRequestFromItsFirstByte() {
        byte[] request = REQUEST.replace("GET", "PRIME").getBytes(US_ASCII);
        for (int i = 0; i < request.length; i++) {
            receive(request, i, i + 1);
        }
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "request /"), events(channel));
    }

    @Test
    void shouldPassOnEarlierEventsOnlyOnceItIsKnown() {
        channel.receive("early");
        channel.setReadable(false);
        receive(PREFACE, 0, 10);
        assertEquals(List.of(), events(channel));
        channel.receive(ChannelBuffers.copiedBuffer("no preface", US_ASCII));
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "early", "INTEREST_OPS"), events(channel));
    }

    @Test
    void shouldPassOnExceptionsImmediately() {
        IllegalStateException early = new IllegalStateException("early");
        Channels.fireExceptionCaught(channel, early);
        assertEquals(List.of(early), channel.takeCaught());
        assertEquals(List.of(), events(channel));
    }

    @Test
    void shouldPassOnTheEventsOfAConnectionThatEndsBefore() {
        receive(PREFACE, 0, 3);
        channel.close();
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "not CONNECTED", "not BOUND", "not OPEN"), events(channel));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldSayThatNothingBeganInTime() {
        assertEquals(1, timer.pendingTimeouts());
        timer.advanceMillis(9_999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldHaveNoTimeLimitIfThereIsNone() {
        Http2Settings unlimited = settings.toBuilder()
                .timeouts(settings.timeouts().withHandshake(Duration.ZERO))
                .build();
        channel.close();
        MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(Channels::pipeline, unlimited));
        assertEquals(0, timer.pendingTimeouts());
        other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "request /"), events(other));
        assertFalse(has(other, HttpServerChooser.class));
        assertEquals(List.of(), other.takeCaught());
        other.close();
    }

    @Test
    void shouldNotCloseAConnectionWhoseTimeRunsOutWhenItHasBegun() {
        channel.holdTasks();
        timer.advanceMillis(10_000);
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        channel.runTasks();
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldDropWhatArrivesAfterAFailureButNoOtherEvents() {
        RuntimeException fault = new IllegalStateException("a fault of the application");
        MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(
                () -> {
                    throw fault;
                },
                settings));
        other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(List.of(fault), other.takeCaught());
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "not CONNECTED", "not BOUND", "not OPEN"), events(other));
        other.receive("late");
        assertEquals(List.of(), events(other));
        IllegalStateException late = new IllegalStateException("late");
        Channels.fireExceptionCaught(other, late);
        other.setReadable(false);
        assertEquals(List.of(late), other.takeCaught());
        assertEquals(List.of("INTEREST_OPS"), events(other));
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    /** Otherwise the handlers above would hear of a fault on a channel that they don't know. */
    @Test
    void shouldPassOnEarlierEventsBeforeAFailure() {
        MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(
                () -> {
                    throw new IllegalStateException("a fault of the application");
                },
                settings));
        other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        List<ChannelEvent> seen = other.takeUpstream();
        assertEquals(
                3,
                seen.indexOf(seen.stream()
                        .filter(ExceptionEvent.class::isInstance)
                        .findFirst()
                        .orElse(null)));
        channel.close();
    }

    @Test
    void shouldKeepAllHandlersUnderNamesThatAreFree() {
        ChannelPipelineFactory requests = named("http1", "a", "http1-2");
        MemoryChannel other = with("a", requests);
        other.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(
                List.of("a", "http1-3", "http1", "a-2", "http1-2"),
                other.getPipeline().getNames().subList(0, 5));
        assertInstanceOf(HttpServerCodec.class, other.getPipeline().get("http1-3"));
        other.close();

        MemoryChannel second = with("http2", requests);
        second.receive(ChannelBuffers.copiedBuffer(PREFACE));
        assertInstanceOf(Http2ServerHandler.class, second.getPipeline().get("http2-2"));
        second.close();
    }

    private MemoryChannel with(String earlier, ChannelPipelineFactory requests) {
        MemoryChannel other = MemoryChannel.connected(new HttpServerChooser(requests, settings));
        other.getPipeline().addFirst(earlier, new SimpleChannelUpstreamHandler());
        return other;
    }

    @Test
    void shouldRequireItsFactoriesAndSettings() {
        ChannelPipelineFactory requests = Channels::pipeline;
        assertThrows(NullPointerException.class, () -> new HttpServerChooser(null, settings));
        assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, (Http2Settings) null));
        assertThrows(NullPointerException.class, () -> new HttpServerChooser(null, requests, settings));
        assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, null, settings));
        assertThrows(NullPointerException.class, () -> new HttpServerChooser(requests, requests, null));
    }

    /** The bytes of both versions may begin alike, but they don't decide. */
    @ParameterizedTest
    @CsvSource({"h2, true", "http/1.1, false", "'', false", ", false"})
    void shouldBeWhatTlsHasAgreedOnAtTheFirstByte(String agreed, boolean isHttp2) {
        MemoryChannel other = MemoryChannel.connected(
                new SslHandler(new AgreedEngine(agreed)), new HttpServerChooser(Channels::pipeline, settings));
        other.receive(AgreedEngine.hello());
        assertTrue(has(other, HttpServerChooser.class));
        other.receive(AgreedEngine.data(PREFACE[0]));
        assertFalse(has(other, HttpServerChooser.class));
        assertEquals(isHttp2, has(other, Http2ServerHandler.class));
        assertEquals(!isHttp2, has(other, HttpServerCodec.class));
        other.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAllowAHandlerToRemoveItFirst(boolean isHttp2) {
        MemoryChannel other =
                MemoryChannel.connected(new HttpServerChooser(() -> Channels.pipeline(new Remover()), settings));
        if (isHttp2) {
            other.getPipeline().addLast("remover", new Remover());
        }
        byte[] first = isHttp2 ? PREFACE : REQUEST.getBytes(US_ASCII);
        other.receive(ChannelBuffers.copiedBuffer(first));
        assertEquals(List.of(), other.takeCaught());
        assertEquals(isHttp2, has(other, Http2ServerHandler.class));
        assertFalse(has(other, HttpServerChooser.class));
        other.close();
    }
}
