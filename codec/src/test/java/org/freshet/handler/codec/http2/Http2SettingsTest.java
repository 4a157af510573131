package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Http2SettingsTest {
    private enum Size {
        STREAMS(Http2Settings.Builder::maxConcurrentStreams, Http2Settings::maxConcurrentStreams, 1, Integer.MAX_VALUE),
        WINDOW(Http2Settings.Builder::initialWindowSize, Http2Settings::initialWindowSize, 1, Integer.MAX_VALUE),
        CONNECTION(
                Http2Settings.Builder::connectionWindowSize,
                Http2Settings::connectionWindowSize,
                65_535,
                Integer.MAX_VALUE),
        MAX_WINDOW(Http2Settings.Builder::maxWindowSize, Http2Settings::maxWindowSize, 0, Integer.MAX_VALUE),
        UNREAD(Http2Settings.Builder::maxUnreadBytes, Http2Settings::maxUnreadBytes, 0, Integer.MAX_VALUE),
        FRAME(Http2Settings.Builder::maxFrameSize, Http2Settings::maxFrameSize, 16_384, 16_777_215),
        HEADERS(Http2Settings.Builder::maxHeaderListSize, Http2Settings::maxHeaderListSize, 1, Integer.MAX_VALUE / 8);

        final BiFunction<Http2Settings.Builder, Integer, Http2Settings.Builder> set;
        final ToIntFunction<Http2Settings> get;
        final int least;
        final int most;

        Size(
                BiFunction<Http2Settings.Builder, Integer, Http2Settings.Builder> set,
                ToIntFunction<Http2Settings> get,
                int least,
                int most) {
            this.set = set;
            this.get = get;
            this.least = least;
            this.most = most;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeAnyValueOfTheRangeAndKeepTheOthers(Size size) {
        for (int value : new int[] {size.least, size.most}) {
            Http2Settings.Builder builder = Http2Settings.defaults().toBuilder();
            assertSame(builder, size.set.apply(builder, value));
            Http2Settings changed = builder.build().toBuilder().build();
            assertEquals(value, size.get.applyAsInt(changed));
            Arrays.stream(Size.values())
                    .filter(other -> other != size)
                    .forEach(other -> assertEquals(
                            other.get.applyAsInt(Http2Settings.defaults()),
                            other.get.applyAsInt(changed),
                            other.name()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAValueOutsideTheRange(Size size) {
        Http2Settings.Builder builder = Http2Settings.defaults().toBuilder();
        assertThrows(IllegalArgumentException.class, () -> size.set.apply(builder, size.least - 1));
        if (size.most < Integer.MAX_VALUE) {
            assertThrows(IllegalArgumentException.class, () -> size.set.apply(builder, size.most + 1));
        }
    }

    @Test
    void shouldHaveTheDocumentedDefaults() {
        Http2Settings settings = Http2Settings.defaults();
        assertEquals(100, settings.maxConcurrentStreams());
        assertEquals(262_144, settings.initialWindowSize());
        assertEquals(1 << 20, settings.connectionWindowSize());
        assertEquals(0, settings.maxWindowSize());
        assertEquals(4 << 20, settings.maxUnreadBytes());
        assertEquals(16_384, settings.maxFrameSize());
        assertEquals(16_384, settings.maxHeaderListSize());
        assertEquals(Http2Timeouts.defaults(), settings.timeouts());
        assertSame(HttpLimits.defaults(), settings.httpLimits());
        assertNull(settings.timer());
        assertNull(settings.abuseLimits());
        assertFalse(settings.webSocket());
        assertEquals(1, settings.firstStreamId());
    }

    @Test
    void shouldKeepWhatIsNoNumber() {
        FakeTimer timer = new FakeTimer();
        Http2Timeouts timeouts = Http2Timeouts.defaults().withIdle(Duration.ofSeconds(1));
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxWebSocketFrameSize(125).build();
        OpenFields.Ceiling ceiling = new OpenFields.Ceiling(7);
        Http2Settings settings = Http2Settings.defaults().toBuilder()
                .timer(timer)
                .httpLimits(limits)
                .firstStreamId(7)
                .fieldCeiling(ceiling)
                .timeouts(timeouts)
                .abuseLimits(Http2AbuseLimits.none())
                .webSocket(true)
                .build()
                .toBuilder()
                .build();
        assertSame(timer, settings.timer());
        assertEquals(timeouts, settings.timeouts());
        assertSame(limits, settings.httpLimits());
        assertEquals(7, settings.firstStreamId());
        assertSame(ceiling, settings.fieldCeiling());
        assertSame(Http2AbuseLimits.none(), settings.abuseLimits());
        assertTrue(settings.webSocket());
        assertEquals(timer.nanoTime(), settings.nanoClock().getAsLong(), "the timer's clock");
        assertEquals(
                42, settings.toBuilder().nanoClock(() -> 42).build().nanoClock().getAsLong());
        assertThrows(NullPointerException.class, () -> settings.toBuilder().timeouts(null));
        assertThrows(NullPointerException.class, () -> settings.toBuilder().httpLimits(null));
    }

    /** Identifiers and values of a SETTINGS frame, then what enlarges the connection's window. */
    private static List<String> announced(FramePeer peer) {
        List<String> lines = new ArrayList<>();
        for (FramePeer.Frame frame : peer.frames()) {
            while (frame.type() == FramePeer.SETTINGS && frame.payload().readable()) {
                lines.add(frame.payload().readUnsignedShort() + "="
                        + frame.payload().readUnsignedInt());
            }
            if (frame.type() == FramePeer.WINDOW_UPDATE) {
                lines.add("window " + frame.payload().readInt());
            }
        }
        return lines;
    }

    private static final Http2Settings CHANGED = Http2Settings.defaults().toBuilder()
            .maxConcurrentStreams(7)
            .initialWindowSize(70_000)
            .maxFrameSize(20_000)
            .maxHeaderListSize(9_000)
            .connectionWindowSize(100_000)
            .webSocket(true)
            .build();

    @Test
    void shouldBeAnnouncedByAServer() {
        Http2Settings smallest = CHANGED.toBuilder()
                .connectionWindowSize(65_535)
                .webSocket(false)
                .build();
        assertEquals(
                List.of("3=7", "4=70000", "5=20000", "6=9000", "9=1"),
                announced(new FramePeer(new Http2ServerHandler(Channels::pipeline, smallest))));
        assertEquals(
                List.of("3=7", "4=70000", "5=20000", "6=9000", "9=1", "8=1", "window 34465"),
                announced(new FramePeer(new Http2ServerHandler(Channels::pipeline, CHANGED))));
    }

    /** It refuses pushed streams, and only servers offer WebSocket. */
    @Test
    void shouldBeAnnouncedByAClient() {
        FramePeer peer = new FramePeer(new Http2ClientHandler(CHANGED));
        ChannelBuffer sent = (ChannelBuffer) peer.channel.takeWritten().get(0);
        sent.skipBytes(Http2ServerHandler.PREFACE.length);
        FramePeer copy = new FramePeer(new SimpleChannelUpstreamHandler());
        copy.channel.write(sent);
        assertEquals(List.of("2=0", "4=70000", "5=20000", "6=9000", "9=1", "window 34465"), announced(copy));
    }

    @Test
    void shouldHaveDefaultsThatDependOnTheSide() {
        Http2Settings defaults = Http2Settings.defaults();
        assertEquals(0, OwnSettings.maxWindowSize(defaults, true));
        assertEquals(16 << 20, OwnSettings.maxWindowSize(defaults, false));
        assertSame(Http2AbuseLimits.defaults(), OwnSettings.abuseLimits(defaults, true));
        assertSame(Http2AbuseLimits.none(), OwnSettings.abuseLimits(defaults, false));

        Http2AbuseLimits limits = Http2AbuseLimits.defaults().withPings(new Http2AbuseLimits.Rate(1, 1));
        Http2Settings set =
                defaults.toBuilder().maxWindowSize(1).abuseLimits(limits).build();
        for (boolean isServer : new boolean[] {true, false}) {
            assertEquals(1, OwnSettings.maxWindowSize(set, isServer));
            assertSame(limits, OwnSettings.abuseLimits(set, isServer));
        }
    }
}
