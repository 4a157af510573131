package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private final FakeTransport transport = new FakeTransport();
    private final Bootstrap bootstrap = new Bootstrap();

    @Test
    void shouldAcceptAFactoryOnlyOnce() {
        assertThrows(IllegalStateException.class, bootstrap::getFactory);
        assertThrows(NullPointerException.class, () -> bootstrap.setFactory(null));
        ChannelFactory factory = transport.clientFactory();
        bootstrap.setFactory(factory);
        assertSame(factory, bootstrap.getFactory());
        assertThrows(IllegalStateException.class, () -> bootstrap.setFactory(transport.clientFactory()));
        assertSame(factory, bootstrap.getFactory());
    }

    @Test
    void shouldPassReleaseAndShutdownToTheFactory() {
        bootstrap.releaseExternalResources(); // nothing to release yet
        bootstrap.shutdown();
        bootstrap.setFactory(transport.clientFactory());
        bootstrap.releaseExternalResources();
        bootstrap.shutdown();
        assertEquals(List.of("releaseExternalResources", "shutdown"), transport.calls);
    }

    @Test
    void shouldCopyThePipelineForEachChannel() throws Exception {
        ChannelPipeline pipeline = bootstrap.getPipeline();
        assertSame(pipeline, bootstrap.getPipeline());
        pipeline.addLast("late", new SimpleChannelHandler());
        ChannelPipeline copy = bootstrap.getPipelineFactory().getPipeline();
        assertNotSame(pipeline, copy);
        assertEquals(List.of("late"), copy.getNames());
        assertSame(pipeline.getFirst(), copy.getFirst());
        assertThrows(NullPointerException.class, () -> bootstrap.setPipeline(null));
    }

    @Test
    void shouldReplaceThePipelineWithAFactoryAndBack() {
        ChannelPipelineFactory factory = Channels::pipeline;
        bootstrap.setPipelineFactory(factory);
        assertSame(factory, bootstrap.getPipelineFactory());
        assertThrows(IllegalStateException.class, bootstrap::getPipeline);
        assertThrows(IllegalStateException.class, bootstrap::getPipelineAsMap);
        assertThrows(NullPointerException.class, () -> bootstrap.setPipelineFactory(null));

        ChannelPipeline pipeline = Channels.pipeline();
        bootstrap.setPipeline(pipeline);
        assertSame(pipeline, bootstrap.getPipeline());
        assertNotSame(factory, bootstrap.getPipelineFactory());
    }

    @Test
    void shouldTakeHandlersFromAMapInOrder() {
        Map<String, ChannelHandler> handlers = new LinkedHashMap<>();
        handlers.put("z", new SimpleChannelHandler());
        handlers.put("a", new SimpleChannelHandler());
        bootstrap.setPipelineAsMap(handlers);
        assertEquals(
                List.of("z", "a"), new ArrayList<>(bootstrap.getPipelineAsMap().keySet()));
        bootstrap.getPipelineAsMap().clear();
        assertEquals(handlers, bootstrap.getPipelineAsMap());
        assertThrows(NullPointerException.class, () -> bootstrap.setPipelineAsMap(null));
    }

    @Test
    void shouldAcceptEveryMapThatMayKeepItsOrder() {
        Map<String, ChannelHandler> handlers = new LinkedHashMap<>();
        handlers.put("z", new SimpleChannelHandler());
        handlers.put("a", new SimpleChannelHandler());
        bootstrap.setPipelineAsMap(Collections.unmodifiableMap(handlers));
        assertEquals(List.of("z", "a"), bootstrap.getPipeline().getNames());
        bootstrap.setPipelineAsMap(new LinkedHashMap<>(handlers) {
            private static final long serialVersionUID = 1;
        });
        assertEquals(List.of("z", "a"), bootstrap.getPipeline().getNames());
        bootstrap.setPipelineAsMap(new TreeMap<>(handlers));
        assertEquals(List.of("a", "z"), bootstrap.getPipeline().getNames());
        bootstrap.setPipelineAsMap(new ConcurrentSkipListMap<>(handlers));
        assertEquals(List.of("a", "z"), bootstrap.getPipeline().getNames());
        bootstrap.setPipelineAsMap(Map.of("only", handlers.get("a")));
        assertEquals(List.of("only"), bootstrap.getPipeline().getNames());
        bootstrap.setPipelineAsMap(new HashMap<>());
        assertEquals(List.of(), bootstrap.getPipeline().getNames());
    }

    @Test
    void shouldRefuseAMapThatKeepsNoOrder() {
        ChannelHandler handler = new SimpleChannelHandler();
        Map<String, ChannelHandler> handlers = Map.of("z", handler, "a", handler);
        for (Map<String, ChannelHandler> unordered : List.of(
                handlers, new HashMap<>(handlers), new Hashtable<>(handlers), new ConcurrentHashMap<>(handlers))) {
            String message = assertThrows(IllegalArgumentException.class, () -> bootstrap.setPipelineAsMap(unordered))
                    .getMessage();
            assertEquals(
                    "pipelineMap has no defined order; use a LinkedHashMap: "
                            + unordered.getClass().getName(),
                    message);
        }
    }

    @Test
    void shouldStoreOptionsUnchanged() {
        bootstrap.setOption("tcpNoDelay", "yes");
        bootstrap.setOption("custom", 1);
        assertEquals("yes", bootstrap.getOption("tcpNoDelay"));
        assertEquals(true, bootstrap.getOption(ChannelOption.TCP_NODELAY));
        assertEquals(Map.of("tcpNoDelay", "yes", "custom", 1), bootstrap.getOptions());
        bootstrap.getOptions().clear();
        assertEquals(2, bootstrap.getOptions().size());

        bootstrap.setOption("custom", null);
        bootstrap.setOption(ChannelOption.TCP_NODELAY, null);
        assertEquals(Map.of(), bootstrap.getOptions());
        assertNull(bootstrap.getOption("tcpNoDelay"));
        assertNull(bootstrap.getOption(ChannelOption.TCP_NODELAY));
        assertThrows(NullPointerException.class, () -> bootstrap.setOption((String) null, 1));
        assertThrows(NullPointerException.class, () -> bootstrap.getOption((String) null));
    }

    @Test
    void shouldReplaceAllOptionsWithACopy() {
        bootstrap.setOption("keepAlive", true);
        Map<String, Object> options = new HashMap<>(Map.of("backlog", "5"));
        options.put("absent", null);
        bootstrap.setOptions(options);
        options.put("later", 1);
        assertEquals(Map.of("backlog", "5"), bootstrap.getOptions());
        assertThrows(NullPointerException.class, () -> bootstrap.setOptions(null));
    }

    @Test
    void shouldRefuseBadValuesWhenTheyAreSet() {
        bootstrap.setOption("backlog", 5);
        assertRefused("backlog: -1 (allowed: a whole number, 0 or more)", () -> bootstrap.setOption("backlog", -1));
        assertRefused(
                "backlog: \"x\" (allowed: a whole number, 0 or more)",
                () -> bootstrap.setOptions(Map.of("keepAlive", true, "backlog", "x")));
        assertRefused(
                "trafficClass: 999 (allowed: 0 to 255)", () -> bootstrap.setOption(ChannelOption.TRAFFIC_CLASS, 999));
        assertRefused(
                "localAddress: \"here\" (allowed: an instance of java.net.SocketAddress)",
                () -> bootstrap.setOption("localAddress", "here"));
        assertRefused(
                "remoteAddress: 80 (allowed: an instance of java.net.SocketAddress)",
                () -> bootstrap.setOption("remoteAddress", 80));
        assertEquals(Map.of("backlog", 5), bootstrap.getOptions());
        bootstrap.setOption("localAddress", new InetSocketAddress(0));
        assertTrue(bootstrap.getOptions().containsKey("localAddress"));
    }

    private static void assertRefused(String message, Runnable call) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
