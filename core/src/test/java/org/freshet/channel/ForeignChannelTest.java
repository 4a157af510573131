package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.Test;

/** A channel, and a config, that a user has written without our abstract classes: they have no account and only the default methods. */
class ForeignChannelTest {
    private boolean isOpen = true;
    private boolean isWritable = true;
    private final ChannelFuture closeFuture = Channels.future(null);
    private final List<ChannelEvent> sent = new ArrayList<>();

    private final Channel channel = proxy(Channel.class, (self, method, arguments) -> switch (method.getName()) {
        case "isOpen" -> isOpen;
        case "isWritable" -> isWritable;
        case "getCloseFuture" -> closeFuture;
        case "toString" -> "foreign";
        case "close" -> {
            isOpen = false;
            yield arguments == null ? closeFuture : InvocationHandler.invokeDefault(self, method, arguments);
        }
        default -> InvocationHandler.invokeDefault(self, method, arguments);
    });

    private final ChannelHandlerContext ctx =
            proxy(ChannelHandlerContext.class, (self, method, arguments) -> switch (method.getName()) {
                case "getChannel" -> channel;
                case "sendDownstream" -> sent.add((ChannelEvent) arguments[0]) ? null : null;
                default -> throw new AssertionError(method);
            });

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    @Test
    void shouldCloseForAReasonThatItCannotKeep() {
        assertNull(channel.getCloseReason());
        Channels.noteCloseReason(channel, CloseReason.of(Kind.REFUSED));
        assertNull(channel.getCloseReason());
        assertSame(closeFuture, channel.close(CloseReason.of(Kind.REFUSED)));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());
    }

    @Test
    void shouldCloseAChannelOfOursWithAPipelineOfAUser() {
        ChannelPipeline ours = Channels.pipeline(new SimpleChannelHandler());
        ChannelPipeline foreign =
                proxy(ChannelPipeline.class, (self, method, arguments) -> method.invoke(ours, arguments));
        PaperChannel owner = new PaperChannel(null, foreign, new PaperSink());
        assertSame(foreign, owner.getPipeline());
        assertTrue(owner.closeNow());
        assertTrue(owner.getCloseFuture().isSuccess());
    }

    /** Nothing says what the handlers of such a pipeline hold, so only the transport's queue counts. */
    @Test
    void shouldCountForTheMarksOnlyWhatIsQueuedBelowAPipelineOfAUser() {
        MarkedChannel marked = new MarkedChannel() {
            @Override
            public ChannelPipeline getPipeline() {
                ChannelPipeline ours = super.getPipeline();
                return proxy(ChannelPipeline.class, (self, method, arguments) -> method.invoke(ours, arguments));
            }
        };
        WriteAccount.charge(marked, 2L * MarkedChannel.HIGH);
        assertTrue(marked.isWritable());
        marked.admitWrite(MarkedChannel.HIGH);
        assertTrue(marked.isWritable());
        marked.admitWrite(1);
        assertFalse(marked.isWritable());
        marked.onClosed();
    }

    @Test
    void shouldAdmitAnyWrite() {
        assertNull(WriteAccount.admit(channel, 1L << 40));
        WriteAccount.charge(channel, 1L << 40);
        assertTrue(WriteAccount.hasRoomFor(channel, 1L << 40));
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertEquals(0, WriteAccount.queuedBytes(channel));
        WriteAccount.release(channel, 1L << 40);
    }

    @Test
    void shouldPassOnWhatAHandlerHeld() throws Exception {
        MessageEvent write = new DownstreamMessageEvent(channel, Channels.future(null), "m", null);
        WriteAccount.passOn(ctx, write, 100);
        assertEquals(List.of(write), sent);
        List<String> ran = new ArrayList<>();
        WriteAccount.passOn(channel, 100, () -> ran.add("action"));
        assertEquals(List.of("action"), ran);
    }

    @Test
    void shouldHaveRoomWhileItIsWritable() {
        assertTrue(WriteAccount.hasRoomBelow(ctx));
        assertTrue(WriteAccount.isWritableBelow(ctx));
        isWritable = false;
        assertFalse(WriteAccount.hasRoomBelow(ctx));
        assertFalse(WriteAccount.isWritableBelow(ctx));
    }

    @Test
    void shouldHaveCompleteFutures() {
        assertTrue(Channels.succeededFuture(channel).isSuccess());
        assertSame(channel, Channels.succeededFuture(channel).getChannel());
        Exception cause = new Exception();
        assertSame(cause, Channels.failedFuture(channel, cause).getCause());
    }

    @Test
    void shouldReadTheOptionsThatEveryConfigHas() {
        ChannelBufferFactory factory = HeapChannelBufferFactory.getInstance();
        ChannelConfig config = proxy(ChannelConfig.class, (self, method, arguments) -> switch (method.getName()) {
            case "getBufferFactory" -> factory;
            case "getConnectTimeoutMillis" -> 77;
            case "getPipelineFactory" -> null;
            default -> InvocationHandler.invokeDefault(self, method, arguments);
        });
        assertEquals(77, config.getOption(ChannelOption.CONNECT_TIMEOUT_MILLIS));
        assertSame(factory, config.getOption(ChannelOption.BUFFER_FACTORY));
        assertNull(config.getOption(ChannelOption.TCP_NODELAY));
        assertEquals(Map.of("connectTimeoutMillis", 77, "bufferFactory", factory), config.getOptions());
    }
}
