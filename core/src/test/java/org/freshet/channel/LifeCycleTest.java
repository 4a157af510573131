package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LifeCycleTest {
    private final ChannelPipeline pipeline = new DefaultChannelPipeline();
    private final List<String> calls = new ArrayList<>();

    /** Records its calls with the current handlers of the pipeline, and fails in chosen calls. */
    private class Aware extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
        private final Set<String> failing;

        Aware(String... failing) {
            this.failing = new HashSet<>(Arrays.asList(failing));
        }

        private void called(String method, ChannelHandlerContext ctx) {
            calls.add(ctx.getName() + "." + method + " " + ctx.getPipeline().getNames());
            assertSame(this, ctx.getHandler());
            if (failing.contains(method)) {
                throw new IllegalStateException(method);
            }
        }

        @Override
        public void beforeAdd(ChannelHandlerContext ctx) {
            called("beforeAdd", ctx);
        }

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            called("afterAdd", ctx);
        }

        @Override
        public void beforeRemove(ChannelHandlerContext ctx) {
            called("beforeRemove", ctx);
        }

        @Override
        public void afterRemove(ChannelHandlerContext ctx) {
            called("afterRemove", ctx);
        }
    }

    @BeforeEach
    void addNeighbours() {
        pipeline.addLast("a", new SimpleChannelHandler());
        pipeline.addLast("z", new SimpleChannelHandler());
    }

    private void add(Aware handler) {
        pipeline.addAfter("a", "h", handler);
    }

    // ---- the usual case ----

    @Test
    void shouldBeNotifiedBeforeAndAfterEachChange() {
        add(new Aware());
        pipeline.remove("h");
        assertEquals(
                List.of(
                        "h.beforeAdd [a, z]",
                        "h.afterAdd [a, h, z]",
                        "h.beforeRemove [a, h, z]",
                        "h.afterRemove [a, z]"),
                calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "middle", "last"})
    void shouldChangeTheGuardWithoutAGapWhereverItStands(String place) {
        switch (place) {
            case "first" -> pipeline.remove("a");
            case "last" -> pipeline.remove("z");
            default -> {}
        }
        if (place.equals("first")) {
            pipeline.addFirst("old", new Aware());
        } else {
            pipeline.addAfter("a", "old", new Aware());
        }
        calls.clear();
        List<String> before = pipeline.getNames();
        List<String> after =
                before.stream().map(name -> name.equals("old") ? "new" : name).toList();
        pipeline.replace("old", "new", new Aware());
        assertEquals(
                List.of(
                        "old.beforeRemove " + before,
                        "new.beforeAdd " + before,
                        "old.afterRemove " + after,
                        "new.afterAdd " + after),
                calls);
    }

    @Test
    void shouldNotNotifyAHandlerThatCannotBeAdded() {
        assertThrows(IllegalArgumentException.class, () -> pipeline.addLast("a", new Aware()));
        assertThrows(NoSuchElementException.class, () -> pipeline.addAfter("nobody", "h", new Aware()));
        assertThrows(IllegalArgumentException.class, () -> pipeline.replace("a", "z", new Aware()));
        assertEquals(List.of(), calls);
    }

    // ---- failures while adding ----

    @Test
    void shouldNotAddAHandlerWhoseBeforeAddFails() {
        fails("beforeAdd failed, handler not added", "beforeAdd", () -> add(new Aware("beforeAdd")));
        assertEquals(List.of("a", "z"), pipeline.getNames());
        assertEquals(List.of("h.beforeAdd [a, z]"), calls);
    }

    @Test
    void shouldRemoveAHandlerWhoseAfterAddFails() {
        fails("afterAdd failed, handler removed again", "afterAdd", () -> add(new Aware("afterAdd")));
        assertEquals(List.of("a", "z"), pipeline.getNames());
        assertEquals(
                List.of(
                        "h.beforeAdd [a, z]",
                        "h.afterAdd [a, h, z]",
                        "h.beforeRemove [a, h, z]",
                        "h.afterRemove [a, z]"),
                calls);
    }

    @Test
    void shouldReportThatTheRemovalAfterAFailedAddFailedToo() {
        Throwable e = fails(
                "afterAdd failed, and so did the removal that followed",
                "afterAdd",
                () -> add(new Aware("afterAdd", "beforeRemove")));
        assertEquals("beforeRemove", e.getSuppressed()[0].getCause().getMessage());
        assertEquals(List.of("a", "h", "z"), pipeline.getNames());
    }

    @Test
    void shouldReportAFailureInAfterRemoveEvenThoughTheHandlerIsRemoved() {
        Throwable e = fails(
                "afterAdd failed, and so did the removal that followed",
                "afterAdd",
                () -> add(new Aware("afterAdd", "afterRemove")));
        assertEquals("afterRemove", e.getSuppressed()[0].getCause().getMessage());
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    // ---- failures while removing ----

    @Test
    void shouldKeepAHandlerWhoseBeforeRemoveFails() {
        add(new Aware("beforeRemove"));
        fails("beforeRemove failed, handler not removed", "beforeRemove", () -> pipeline.remove("h"));
        assertEquals(List.of("a", "h", "z"), pipeline.getNames());
        fails("beforeRemove failed, handler not removed", "beforeRemove", () -> pipeline.remove("h"));
    }

    @Test
    void shouldRemoveAHandlerWhoseAfterRemoveFails() {
        add(new Aware("afterRemove"));
        fails("afterRemove failed, handler is removed", "afterRemove", () -> pipeline.remove("h"));
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    // ---- failures while replacing ----

    @Test
    void shouldNotReplaceAHandlerWhoseBeforeRemoveFails() {
        add(new Aware("beforeRemove"));
        calls.clear();
        fails(
                "beforeRemove failed, handler not removed",
                "beforeRemove",
                () -> pipeline.replace("h", "n", new Aware()));
        assertEquals(List.of("a", "h", "z"), pipeline.getNames());
        assertEquals(List.of("h.beforeRemove [a, h, z]"), calls);
    }

    @Test
    void shouldNotReplaceWithAHandlerWhoseBeforeAddFails() {
        add(new Aware());
        fails(
                "beforeAdd failed, handler not added",
                "beforeAdd",
                () -> pipeline.replace("h", "n", new Aware("beforeAdd")));
        assertEquals(List.of("a", "h", "z"), pipeline.getNames());
        pipeline.remove("h");
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    @Test
    void shouldReplaceAHandlerWhoseAfterRemoveFails() {
        add(new Aware("afterRemove"));
        fails("afterRemove failed, handler is removed", "afterRemove", () -> pipeline.replace("h", "n", new Aware()));
        assertEquals(List.of("a", "n", "z"), pipeline.getNames());
        assertEquals("n.afterAdd [a, n, z]", calls.get(calls.size() - 1));
    }

    @Test
    void shouldRemoveAReplacementWhoseAfterAddFails() {
        add(new Aware());
        fails(
                "afterAdd failed, handler removed again",
                "afterAdd",
                () -> pipeline.replace("h", "n", new Aware("afterAdd")));
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    @Test
    void shouldReportBothFailuresOfAReplacement() {
        add(new Aware("afterRemove"));
        Throwable e = fails(
                "afterRemove failed, handler is removed",
                "afterRemove",
                () -> pipeline.replace("h", "n", new Aware("afterAdd")));
        assertEquals("afterAdd", e.getSuppressed()[0].getCause().getMessage());
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    private static Throwable fails(String message, String cause, Executable edit) {
        Throwable e = assertThrows(ChannelHandlerLifeCycleException.class, edit);
        assertTrue(e.getMessage().startsWith(message + ": '"), e.getMessage());
        assertTrue(e.getMessage().endsWith(Aware.class.getName() + ")"), e.getMessage());
        assertEquals(cause, e.getCause().getMessage());
        return e;
    }

    // ---- callbacks that edit ----

    /** Makes another change to the pipeline when called. */
    private final class Meddler extends Aware {
        private final String when;
        private final Consumer<ChannelPipeline> edit;

        Meddler(String when, Consumer<ChannelPipeline> edit) {
            this.when = when;
            this.edit = edit;
        }

        private void meddle(String method) {
            if (method.equals(when)) {
                edit.accept(pipeline);
            }
        }

        @Override
        public void beforeAdd(ChannelHandlerContext ctx) {
            meddle("beforeAdd");
        }

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            meddle("afterAdd");
        }

        @Override
        public void beforeRemove(ChannelHandlerContext ctx) {
            meddle("beforeRemove");
        }

        @Override
        public void afterRemove(ChannelHandlerContext ctx) {
            meddle("afterRemove");
        }
    }

    @ParameterizedTest
    @CsvSource({"beforeAdd, h b y", "afterAdd, b h y", "beforeRemove, b y", "afterRemove, b y"})
    void shouldAllowEditsFromWithin(String when, String names) {
        pipeline.addFirst("h", new Meddler(when, p -> {
            p.remove("a");
            p.addFirst("b", new SimpleChannelHandler());
            p.replace("z", "y", new SimpleChannelHandler());
        }));
        if (when.endsWith("Remove")) {
            pipeline.remove("h");
        }
        assertEquals(names, String.join(" ", pipeline.getNames()));
    }

    @Test
    void shouldCheckNameAndBaseAgainAfterBeforeAdd() {
        assertThrows(NoSuchElementException.class, () -> add(new Meddler("beforeAdd", p -> p.remove("a"))));
        Meddler robbed = new Meddler("beforeAdd", p -> p.addFirst("h", new SimpleChannelHandler()));
        assertThrows(IllegalArgumentException.class, () -> pipeline.addLast("h", robbed));
        assertEquals(List.of("h", "z"), pipeline.getNames());
        assertNull(pipeline.getContext(robbed));
    }

    @Test
    void shouldAllowAHandlerToRemoveItselfAsSoonAsItIsAdded() {
        add(new Meddler("afterAdd", p -> p.remove("h")));
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    @Test
    void shouldRefuseToRemoveAHandlerThatIsBeingRemoved() {
        List<Throwable> refusals = new ArrayList<>();
        add(new Meddler("beforeRemove", p -> {
            refusals.add(assertThrows(NoSuchElementException.class, () -> p.remove("h")));
            refusals.add(assertThrows(
                    NoSuchElementException.class, () -> p.replace("h", "other", new SimpleChannelHandler())));
        }));
        pipeline.remove("h");
        assertEquals(2, refusals.size());
        assertTrue(refusals.get(0).getMessage().startsWith("is already being removed: 'h'"), refusals::toString);
        assertEquals(List.of("a", "z"), pipeline.getNames());
    }

    @Test
    void shouldRefuseToRemoveAHandlerThatIsBeingReplaced() {
        pipeline.addAfter("a", "h", new SimpleChannelHandler());
        pipeline.replace(
                "h",
                "n",
                new Meddler("beforeAdd", p -> assertThrows(NoSuchElementException.class, () -> p.remove("h"))));
        assertEquals(List.of("a", "n", "z"), pipeline.getNames());
    }

    @Test
    void shouldNotBlockEditsByOtherThreads() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Aware waiting = new Meddler("afterAdd", p -> {
            inside.countDown();
            try {
                assertTrue(goOn.await(20, TimeUnit.SECONDS), "the other thread's edit should not wait for this one");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> add(waiting));
        assertTrue(inside.await(20, TimeUnit.SECONDS), "afterAdd should be called");
        pipeline.addLast("other", new SimpleChannelHandler());
        assertNull(pipeline.getContext("nobody"));
        goOn.countDown();
        adding.get(20, TimeUnit.SECONDS);
        assertEquals(List.of("a", "h", "z", "other"), pipeline.getNames());
    }
}
