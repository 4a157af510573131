package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.handler.proxy.ProxyConnectException;
import org.freshet.handler.proxy.Socks5ProxyHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write keeps its charge to the account when it passes from one handler that holds output to the next. */
class HoldersAboveHoldersTest {
    private static final InetSocketAddress PROXY = InetSocketAddress.createUnresolved("proxy.invalid", 1080);
    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("target.invalid", 443);

    enum Holder {
        SHAPER {
            @Override
            ChannelHandler create() {
                return shaper();
            }
        },
        BUFFERED_WRITE {
            @Override
            ChannelHandler create() {
                return new BufferedWriteHandler();
            }
        },
        CHUNKED_WRITE {
            @Override
            ChannelHandler create() {
                return new ChunkedWriteHandler();
            }
        },
        EXECUTION {
            @Override
            ChannelHandler create() {
                return new ExecutionHandler(Runnable::run, true, false);
            }
        },
        PIPELINED {
            @Override
            ChannelHandler create() {
                return new PipelinedExecutionHandler(Runnable::run, new FakeTimer());
            }
        };

        abstract ChannelHandler create();
    }

    private static ChannelTrafficShapingHandler shaper() {
        return new ChannelTrafficShapingHandler(new FakeTimer(), 0, 0, 0);
    }

    private static final class Spy extends SimpleChannelDownstreamHandler {
        final List<MessageEvent> writes = new ArrayList<>();

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            writes.add(e);
            ctx.sendDownstream(e);
        }
    }

    /** A wrapper with the charge would be taken for the next handler's own. */
    @ParameterizedTest
    @EnumSource(Holder.class)
    void shouldPassOnTheEventThatWasWritten(Holder holder) {
        Spy spy = new Spy();
        ChannelHandler handler = holder.create();
        MemoryChannel channel = MemoryChannel.connected(spy, handler);
        MessageEvent written = new DownstreamMessageEvent(
                channel, Channels.future(channel), ChannelBuffers.wrappedBuffer(new byte[10]), null);
        channel.getPipeline().sendDownstream(written);
        if (handler instanceof BufferedWriteHandler buffered) {
            buffered.flush();
        }
        assertEquals(1, spy.writes.size());
        assertSame(written, spy.writes.get(0));
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    /** It can't wait for the handshake like a message: nothing will be sent after it. */
    @ParameterizedTest
    @EnumSource(Holder.class)
    void shouldEndTheOutputOfATlsConnection(Holder holder) throws Exception {
        MemoryChannel channel = MemoryChannel.connected(
                SslContextBuilder.forClient().build().newHandler("localhost", 443), holder.create());
        channel.takeWritten();
        ChannelFuture ended = Channels.shutdownOutput(channel);
        assertTrue(ended.isSuccess(), () -> "the end of the output: " + ended);
        List<Object> sent = channel.takeWritten();
        assertSame(OutputShutdown.INSTANCE, sent.get(sent.size() - 1));
        assertEquals(List.of(), channel.takeCaught());
    }

    @ParameterizedTest
    @EnumSource(Holder.class)
    void shouldReleaseAWriteOnceIfTheProxyHasRefused(Holder holder) {
        MemoryChannel channel = MemoryChannel.open(new Socks5ProxyHandler(PROXY), holder.create());
        List<ChannelFuture> late = new ArrayList<>();
        List<Long> waiting = new ArrayList<>();
        channel.connect(TARGET).addListener(refused -> {
            late.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[10])));
            BufferedWriteHandler buffered = channel.getPipeline().get(BufferedWriteHandler.class);
            if (buffered != null) {
                buffered.flush();
            }
            waiting.add(WriteAccount.waitingBytes(channel));
        });
        channel.receive(ChannelBuffers.wrappedBuffer(new byte[] {5, -1}));
        assertInstanceOf(ProxyConnectException.class, late.get(0).getCause());
        assertEquals(List.of(0L), waiting);
    }
}
