package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharingPipelineFactoryTest {
    @ChannelHandler.Sharable
    public static class Shared extends SimpleChannelHandler {}

    public static class Exclusive extends SimpleChannelHandler {}

    /** Marked by inheritance. */
    public static class SharedToo extends Shared {}

    public static class WithArgument extends SimpleChannelHandler {
        public WithArgument(int argument) {
            assertTrue(argument > 0);
        }
    }

    public static class Hidden extends SimpleChannelHandler {
        Hidden() {}
    }

    public static class Failing extends SimpleChannelHandler {
        public Failing() throws IOException {
            throw new IOException("no disk");
        }
    }

    private final SharingPipelineFactory.Builder builder = SharingPipelineFactory.builder();

    @Test
    void shouldShareMarkedHandlersAndCreateTheOthersPerPipeline() throws Exception {
        Shared instance = new Shared();
        ChannelPipelineFactory factory = builder.add("exclusive class", Exclusive.class)
                .add("shared class", SharedToo.class)
                .add("exclusive supplier", () -> new WithArgument(1))
                .add("shared supplier", Shared::new)
                .add("instance", instance)
                .build();
        ChannelPipeline one = factory.getPipeline();
        ChannelPipeline other = factory.getPipeline();
        assertEquals(
                List.of("exclusive class", "shared class", "exclusive supplier", "shared supplier", "instance"),
                one.getNames());
        for (String name : one.getNames()) {
            assertSame(one.get(name).getClass(), other.get(name).getClass());
            if (name.startsWith("exclusive")) {
                assertNotSame(one.get(name), other.get(name));
            } else {
                assertSame(one.get(name), other.get(name));
            }
        }
        assertSame(instance, one.get("instance"));
    }

    @Test
    void shouldCallNoSupplierBeforeTheFirstPipelineAndThatOfASharableHandlerOnce() throws Exception {
        AtomicInteger shared = new AtomicInteger();
        AtomicInteger exclusive = new AtomicInteger();
        ChannelPipelineFactory factory = builder.add("shared", () -> {
                    shared.incrementAndGet();
                    return new Shared();
                })
                .add("exclusive", () -> {
                    exclusive.incrementAndGet();
                    return new Exclusive();
                })
                .build();
        assertEquals(0, shared.get() + exclusive.get());
        for (int i = 0; i < 3; i++) {
            factory.getPipeline();
        }
        assertEquals(1, shared.get());
        assertEquals(3, exclusive.get());
    }

    @Test
    void shouldRefuseAnInstanceThatIsNotMarked() {
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> builder.add("codec", new Exclusive()));
        assertTrue(refusal.getMessage().startsWith("handler 'codec' is not marked @Sharable: "), refusal.getMessage());
    }

    @Test
    void shouldRefuseAClassWithoutAConstructorToCall() {
        assertThrows(IllegalArgumentException.class, () -> builder.add("codec", WithArgument.class));
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> builder.add("codec", Hidden.class));
        assertTrue(refusal.getMessage().endsWith("; pass a supplier instead"), refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> builder.add("codec", ChannelHandler.class));
    }

    @Test
    void shouldRefuseADuplicateName() {
        builder.add("codec", Shared::new);
        assertThrows(IllegalArgumentException.class, () -> builder.add("codec", Shared.class));
    }

    @Test
    void shouldThrowTheExceptionOfAConstructor() {
        ChannelPipelineFactory factory = builder.add("codec", Failing.class).build();
        assertEquals(
                "no disk", assertThrows(IOException.class, factory::getPipeline).getMessage());
    }

    public static class Strange extends SimpleChannelHandler {
        public Strange() throws Throwable {
            throw new Throwable("neither an exception nor an error");
        }
    }

    @Test
    void shouldNameTheHandlerWhoseConstructorThrowsAnythingElse() {
        ChannelPipelineFactory factory = builder.add("codec", Strange.class).build();
        Exception failure = assertThrows(ChannelPipelineException.class, factory::getPipeline);
        assertEquals("handler 'codec' cannot be created", failure.getMessage());
        assertEquals("neither an exception nor an error", failure.getCause().getMessage());
    }

    @Test
    void shouldNameTheHandlerWhoseSupplierReturnsNull() {
        ChannelPipelineFactory factory = builder.add("codec", () -> null).build();
        Exception failure = assertThrows(ChannelPipelineException.class, factory::getPipeline);
        assertEquals("the supplier of handler 'codec' returned null", failure.getMessage());
    }

    @Test
    void shouldLeaveAFactoryAloneWhenMoreIsAdded() throws Exception {
        ChannelPipelineFactory factory = builder.add("one", Shared.class).build();
        builder.add("two", Exclusive.class);
        assertEquals(List.of("one"), factory.getPipeline().getNames());
    }

    @Test
    void shouldShareOneHandlerWhenSeveralThreadsCreateTheFirstPipelines() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        ChannelPipelineFactory factory = builder.add("shared", () -> {
                    try {
                        both.await(10, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new IllegalStateException("the other thread created none", e);
                    }
                    return new Shared();
                })
                .build();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<ChannelPipeline> one = threads.submit(factory::getPipeline);
            Future<ChannelPipeline> other = threads.submit(factory::getPipeline);
            assertSame(
                    one.get(10, TimeUnit.SECONDS).get("shared"),
                    other.get(10, TimeUnit.SECONDS).get("shared"));
        } finally {
            threads.shutdownNow();
        }
    }
}
