package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.example.UnmarkedHandlers;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.internal.race.RaceCheck;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rule, called directly, and the check as dispatch calls it. Each case uses its own classes, because a JVM decides
 * when it loads them.
 */
class RaceCheckTest {
    private static class Counter extends SimpleChannelHandler {}

    private static final class OtherCounter extends SimpleChannelHandler {}

    private enum Kind {
        RECEIVE,
        FAILURE,
        WRITE
    }

    private final FakeClock clock = new FakeClock();
    private final RaceCheck check = new RaceCheck(clock::nanos);
    private CapturedLog log;

    @BeforeEach
    void captureLog() {
        log = CapturedLog.start();
    }

    @AfterEach
    void shouldKeepNoCallsThatHaveReturned() {
        log.close();
        assertEquals(0, check.size());
    }

    private RaceCheck.Call enter(Channel channel, Kind kind) {
        DefaultChannelHandlerContext ctx =
                (DefaultChannelHandlerContext) channel.getPipeline().getContext(ChannelHandler.class);
        return switch (kind) {
            case RECEIVE ->
                check.enter(
                        ctx.getHandler(),
                        ctx.label(),
                        channel,
                        new UpstreamMessageEvent(channel, "message", null),
                        true);
            case FAILURE ->
                check.enter(
                        ctx.getHandler(),
                        ctx.label(),
                        channel,
                        new DefaultExceptionEvent(channel, new Exception("expected")),
                        false);
            case WRITE ->
                check.enter(
                        ctx.getHandler(),
                        ctx.label(),
                        channel,
                        new DownstreamMessageEvent(channel, Channels.future(channel), "message", null),
                        false);
        };
    }

    /** Another thread is inside the handler while {@code body} runs. */
    private void during(Channel channel, Kind kind, Runnable body) {
        CountDownLatch isIn = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        Thread first = new Thread(
                () -> {
                    RaceCheck.Call call = enter(channel, kind);
                    isIn.countDown();
                    try {
                        Await.latch(mayLeave, "the end of the test");
                    } finally {
                        check.leave(call);
                    }
                },
                "first");
        first.start();
        try {
            Await.latch(isIn, "the first thread in the handler");
            body.run();
        } finally {
            mayLeave.countDown();
            Await.end(first);
        }
    }

    private void call(Channel channel, Kind kind) {
        check.leave(enter(channel, kind));
    }

    private List<CapturedLog.Message> warnings() {
        return log.messages(InternalLogLevel.WARN).stream()
                .filter(message -> message.logger().equals(RaceCheck.class.getName()))
                .toList();
    }

    private static boolean isIn(StackTraceElement[] stack, String method) {
        return Stream.of(stack)
                .anyMatch(frame -> frame.getClassName().equals(RaceCheckTest.class.getName())
                        && frame.getMethodName().startsWith(method));
    }

    @Test
    void shouldReportAHandlerThatServesTwoChannelsConcurrentlyWithBothStacks() {
        Counter shared = new Counter();
        PaperChannel one = new PaperChannel(shared);
        PaperChannel two = new PaperChannel(shared);
        during(one, Kind.RECEIVE, () -> call(two, Kind.RECEIVE));

        assertEquals(1, warnings().size());
        CapturedLog.Message warning = warnings().get(0);
        assertTrue(
                warning.text()
                        .startsWith("handler '0' (" + Counter.class.getName() + ") is in two threads at once: "
                                + "first with UpstreamMessageEvent of " + one + ", and "
                                + Thread.currentThread().getName() + " with UpstreamMessageEvent of " + two
                                + ". Create a new one for each channel"),
                warning::text);
        assertTrue(isIn(warning.cause().getStackTrace(), "call"), "this thread's stack");
        assertTrue(isIn(warning.cause().getCause().getStackTrace(), "lambda$during$"), "the first thread's stack");
    }

    @Test
    void shouldReportChannelsThatShareAHandlerWhateverTheDirection() {
        for (Kind first : Kind.values()) {
            for (Kind second : Kind.values()) {
                Counter shared = new Counter();
                PaperChannel one = new PaperChannel(shared);
                PaperChannel two = new PaperChannel(shared);
                clock.advance(Duration.ofHours(1));
                int before = warnings().size();
                during(one, first, () -> call(two, second));
                assertEquals(before + 1, warnings().size(), () -> first + " and " + second);
            }
        }
    }

    @Test
    void shouldReportTwoConcurrentUpstreamEventsOfOneChannel() {
        PaperChannel channel = new PaperChannel(new Counter());
        during(channel, Kind.RECEIVE, () -> call(channel, Kind.RECEIVE));
        assertTrue(
                warnings().get(0).text().contains("events of a channel one after the other"),
                () -> warnings().toString());
    }

    @Test
    void shouldAllowAnyThreadToWriteAndToReportAFailure() {
        PaperChannel channel = new PaperChannel(new Counter());
        for (Kind first : Kind.values()) {
            for (Kind second : Kind.values()) {
                if (first != Kind.RECEIVE || second != Kind.RECEIVE) {
                    during(channel, first, () -> call(channel, second));
                }
            }
        }
        assertEquals(List.of(), warnings());
    }

    @Test
    void shouldAllowAThreadThatEntersAgain() {
        Counter shared = new Counter();
        PaperChannel one = new PaperChannel(shared);
        PaperChannel two = new PaperChannel(shared);
        RaceCheck.Call outer = enter(one, Kind.RECEIVE);
        RaceCheck.Call inner = enter(one, Kind.RECEIVE);
        call(two, Kind.RECEIVE);
        check.leave(inner);
        check.leave(outer);
        assertEquals(List.of(), warnings());
    }

    /** As with an ExecutionHandler. */
    @Test
    void shouldAllowAnotherThreadForEachEvent() {
        PaperChannel channel = new PaperChannel(new Counter());
        during(channel, Kind.RECEIVE, () -> {});
        call(channel, Kind.RECEIVE);
        assertEquals(List.of(), warnings());
    }

    @Test
    void shouldAllowAHandlerPerChannel() {
        during(
                new PaperChannel(new Counter()),
                Kind.RECEIVE,
                () -> call(new PaperChannel(new Counter()), Kind.RECEIVE));
        assertEquals(List.of(), warnings());
    }

    @Test
    void shouldDetectAConflictAfterLegalCalls() {
        PaperChannel channel = new PaperChannel(new Counter());
        during(channel, Kind.WRITE, () -> during(channel, Kind.RECEIVE, () -> call(channel, Kind.RECEIVE)));
        assertEquals(1, warnings().size());
    }

    @Test
    void shouldReportEachClassOnceAMinute() {
        PaperChannel channel = new PaperChannel(new Counter());
        PaperChannel other = new PaperChannel(new OtherCounter());
        during(channel, Kind.RECEIVE, () -> {
            call(channel, Kind.RECEIVE);
            call(channel, Kind.RECEIVE);
            clock.advance(Duration.ofSeconds(59));
            call(channel, Kind.RECEIVE);
            assertEquals(1, warnings().size());
            during(other, Kind.RECEIVE, () -> call(other, Kind.RECEIVE));
            assertEquals(2, warnings().size());
            clock.advance(Duration.ofSeconds(1));
            call(channel, Kind.RECEIVE);
            assertEquals(3, warnings().size());
            String text = warnings().get(2).text();
            assertTrue(text.endsWith(" (2 more for this class not logged)"), text);
        });
    }

    // ---- in dispatch ----

    /** Lets two threads meet in handlers that two pipelines share. Returns the warnings. */
    static final class Meetings implements Callable<List<String>> {
        @Override
        public List<String> call() {
            try (CapturedLog log = CapturedLog.start()) {
                meetIn(UnmarkedHandlers.Acting::new);
                meetIn(UnmarkedHandlers.MarkedActing::new);
                return log.messages(InternalLogLevel.WARN).stream()
                        .filter(message -> message.text().contains("in two threads"))
                        .map(message ->
                                message.text() + message.cause().getCause().getStackTrace().length)
                        .toList();
            }
        }

        private static void meetIn(Function<Runnable, ChannelHandler> type) {
            CountDownLatch isIn = new CountDownLatch(1);
            CountDownLatch mayLeave = new CountDownLatch(1);
            ChannelHandler handler = type.apply(() -> {
                isIn.countDown();
                Await.latch(mayLeave, "the second thread");
            });
            PaperChannel one = new PaperChannel(handler);
            PaperChannel two = new PaperChannel(handler);
            Thread first = new Thread(() -> Channels.fireMessageReceived(one, "message"));
            first.start();
            Await.latch(isIn, "the first thread in the handler");
            two.write("message");
            mayLeave.countDown();
            Await.end(first);
        }
    }

    @Test
    void shouldBeOffByDefault() {
        assumeTrue(System.getProperty(RaceCheck.PROPERTY) == null, "this JVM checks");
        assertFalse(RaceCheck.IS_ON);
        assertEquals(List.of(), new Meetings().call());
    }

    @Test
    void shouldCheckAllEventsWhenOn() throws Exception {
        List<?> warnings = meetWithTheCheckOn();
        assertEquals(1, warnings.size(), warnings::toString);
        String warning = (String) warnings.get(0);
        assertTrue(
                warning.startsWith("handler '0' (" + UnmarkedHandlers.Acting.class.getName() + ") is in two threads"),
                warning);
        assertFalse(warning.endsWith("channel.0"), "the first thread's stack should be there");
    }

    private static List<?> meetWithTheCheckOn() throws Exception {
        System.setProperty(RaceCheck.PROPERTY, "true");
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> meeting = loader.loadClass(Meetings.class.getName());
            assertNotSame(Meetings.class, meeting);
            Constructor<?> constructor = meeting.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (List<?>) ((Callable<?>) constructor.newInstance()).call();
        } finally {
            System.clearProperty(RaceCheck.PROPERTY);
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(entries[i]).toURI().toURL();
        }
        return urls;
    }
}
