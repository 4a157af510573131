package org.freshet.internal.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Chooses the stack frame to report. */
class UserCodeTest {
    private static StackTraceElement[] stack(String... frames) {
        return Arrays.stream(frames).map(UserCodeTest::frame).toArray(StackTraceElement[]::new);
    }

    private static StackTraceElement frame(String name) {
        int dot = name.lastIndexOf('.');
        String module = name.startsWith("java.") ? "java.base" : null;
        return new StackTraceElement(null, module, null, name.substring(0, dot), name.substring(dot + 1), "X.java", 1);
    }

    private static void assertCode(String expected, String... frames) {
        assertEquals(frame(expected), UserCode.calledLast(stack(frames)));
    }

    @Test
    void shouldNameTheHandlerAndNotTheLibraryThatItCalls() {
        assertCode(
                "com.example.OrderHandler.query",
                "java.net.Socket.read",
                "com.database.Driver.read",
                "com.example.OrderHandler.query",
                "com.example.OrderHandler.messageReceived",
                "org.freshet.channel.SimpleChannelUpstreamHandler.handleUpstream",
                "org.freshet.channel.DefaultChannelPipeline.deliverUpstream",
                "com.example.Before.messageReceived",
                "org.freshet.channel.DefaultChannelPipeline.deliverUpstream");
    }

    @Test
    void shouldNameTheHandlerThatAwaits() {
        assertCode(
                "com.example.OrderHandler.messageReceived",
                "java.lang.Object.wait",
                "org.freshet.channel.DefaultChannelFuture.await",
                "com.example.OrderHandler.messageReceived",
                "org.freshet.channel.DefaultChannelPipeline.deliverUpstream");
    }

    @Test
    void shouldNameAUsersDecoderRatherThanItsBaseClass() {
        assertCode(
                "com.example.Decoder.decode",
                "com.example.Decoder.decode",
                "org.freshet.handler.codec.frame.FrameDecoder.messageReceived",
                "org.freshet.channel.SimpleChannelUpstreamHandler.handleUpstream");
    }

    @Test
    void shouldNameAFreshetHandler() {
        assertCode(
                "org.freshet.handler.ssl.SslHandler.decode",
                "java.security.Signature.verify",
                "org.freshet.handler.ssl.DelegatedTasks.run",
                "org.freshet.handler.ssl.SslHandler.decode",
                "org.freshet.channel.DefaultChannelPipeline.deliverUpstream");
    }

    @Test
    void shouldNameNothingInTheLoopItself() {
        assertNull(UserCode.calledLast(stack(
                "java.nio.Selector.select", "org.freshet.channel.socket.nio.NioLoop.run", "java.lang.Thread.run")));
        assertNull(UserCode.calledLast(stack()));
    }
}
