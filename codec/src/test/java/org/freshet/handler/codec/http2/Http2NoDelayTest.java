package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection asks its socket to send the end of each batch without delay, but does without. */
class Http2NoDelayTest {
    private final List<Boolean> set = new ArrayList<>();
    private final SimpleChannelUpstreamHandler handler = new SimpleChannelUpstreamHandler();
    private final MemoryChannel memory = MemoryChannel.connected(handler);
    private Connection connection;

    private static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    /** Starts a client's connection on a channel with this configuration. */
    private void start(SocketChannelConfig config) {
        Channel channel = fake(
                Channel.class,
                (proxy, method, args) -> method.getName().equals("getConfig") ? config : method.invoke(memory, args));
        ChannelHandlerContext real = memory.context(handler);
        ChannelHandlerContext ctx = fake(
                ChannelHandlerContext.class,
                (proxy, method, args) -> method.getName().equals("getChannel") ? channel : method.invoke(real, args));
        connection = new Connection(
                ctx, Http2Settings.defaults().toBuilder().timer(new FakeTimer()).build(), null);
        connection.start(Http2ServerHandler.PREFACE);
    }

    @AfterEach
    void close() {
        connection.onClosed();
    }

    @Test
    void shouldHaveASocketSendWithoutDelay() {
        start(fake(SocketChannelConfig.class, (proxy, method, args) -> {
            assertEquals("setTcpNoDelay", method.getName());
            set.add((Boolean) args[0]);
            return null;
        }));
        assertEquals(List.of(true), set);
        assertEquals(1, memory.takeWritten().size());
    }

    /** For example, a Unix domain socket, or one that is closed meanwhile. */
    @Test
    void shouldBeginEvenIfItsSocketHasNoSuchOption() {
        start(fake(SocketChannelConfig.class, (proxy, method, args) -> {
            throw new ChannelException("planned");
        }));
        assertEquals(1, memory.takeWritten().size());
        assertTrue(memory.isOpen());
    }
}
