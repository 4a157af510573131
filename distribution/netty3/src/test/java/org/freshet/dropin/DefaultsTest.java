package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.ChannelUpstreamHandler;
import org.jboss.netty.handler.codec.embedder.DecoderEmbedder;
import org.jboss.netty.handler.codec.frame.FixedLengthFrameDecoder;
import org.jboss.netty.handler.codec.http.HttpChunkAggregator;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpRequestDecoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the drop-in jar differs from Freshet's own jars, and the system properties that change it. */
class DefaultsTest {
    private static final String SHARABILITY = "org.freshet.sharability";
    private static final String DEBUG = "org.jboss.netty.debug";

    @AfterEach
    void forgetTheProperties() {
        System.clearProperty(SHARABILITY);
        System.clearProperty(DEBUG);
    }

    /** Freshet refuses this. Netty 3 did not, and the program cannot be changed. */
    @Test
    void shouldAllowADecoderInTwoPipelines() {
        FixedLengthFrameDecoder decoder = new FixedLengthFrameDecoder(1);
        DecoderEmbedder<ChannelBuffer> first = new DecoderEmbedder<>(decoder);
        DecoderEmbedder<ChannelBuffer> second = new DecoderEmbedder<>(decoder);
        assertTrue(first.offer(ChannelBuffers.wrappedBuffer(new byte[1])));
        assertTrue(second.offer(ChannelBuffers.wrappedBuffer(new byte[1])));
    }

    /** Freshet keeps trailers separate; software for Netty 3 looks for them among the headers. */
    @Test
    void shouldMergeTrailersIntoHeaders() {
        DecoderEmbedder<HttpRequest> server =
                new DecoderEmbedder<>(new HttpRequestDecoder(), new HttpChunkAggregator(10));
        server.offer(ChannelBuffers.copiedBuffer(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nCheck: b\r\n\r\n",
                StandardCharsets.US_ASCII));
        assertEquals("b", server.poll().headers().get("Check"));
    }

    @Test
    void shouldReadFreshetsProperties() throws Exception {
        System.setProperty(SHARABILITY, "enforce");
        try (JdkLog log = new JdkLog("org.jboss.netty");
                URLClassLoader loader = DropIn.loaderOf(DropIn.JAR)) {
            Object decoder = loader.loadClass(FixedLengthFrameDecoder.class.getName())
                    .getConstructor(int.class)
                    .newInstance(4);
            embed(loader, decoder);
            Exception refused = assertThrows(InvocationTargetException.class, () -> embed(loader, decoder));
            assertTrue(
                    refused.getCause().toString().contains("keeps the state of one channel"),
                    refused.getCause()::toString);
            assertEquals(List.of(), log.records());
        }
    }

    private static void embed(ClassLoader loader, Object decoder) throws ReflectiveOperationException {
        Class<?> handlers =
                loader.loadClass(ChannelUpstreamHandler.class.getName()).arrayType();
        Object array = Array.newInstance(handlers.componentType(), 1);
        Array.set(array, 0, decoder);
        loader.loadClass(DecoderEmbedder.class.getName())
                .getConstructor(handlers)
                .newInstance(array);
    }

    @Test
    void shouldReadNettysDebuggingProperty() throws Exception {
        System.setProperty(DEBUG, "true");
        try (URLClassLoader loader = DropIn.loaderOf(DropIn.JAR)) {
            assertEquals(
                    true,
                    loader.loadClass("org.jboss.netty.util.DebugUtil")
                            .getMethod("isDebugEnabled")
                            .invoke(null));
        }
    }
}
