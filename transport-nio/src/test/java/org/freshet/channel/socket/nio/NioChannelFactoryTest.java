package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.Channels;
import org.freshet.handler.queue.BlockingReadHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How factories treat pipelines that cannot be used for a channel. The leak check after the class finds sockets left
 * open.
 */
class NioChannelFactoryTest {
    enum Kind {
        CLIENT,
        SERVER
    }

    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    private ChannelFactory factory(Kind kind) {
        return kind == Kind.CLIENT ? rig.clients : rig.servers;
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseTheSocketWhenThePipelineAlreadyHasAChannel(Kind kind) {
        ChannelPipeline taken = Channels.pipeline(new Recorder());
        factory(kind).newChannel(taken);
        assertThrows(IllegalStateException.class, () -> factory(kind).newChannel(taken));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseTheSocketWhenAnExclusiveHandlerIsInAnotherPipeline(Kind kind) {
        ChannelHandler exclusive = new BlockingReadHandler<Object>();
        ChannelPipeline first = Channels.pipeline(exclusive);
        ChannelPipeline second = Channels.pipeline(exclusive); // allowed until one of them has a channel
        factory(kind).newChannel(first);
        assertThrows(ChannelPipelineException.class, () -> factory(kind).newChannel(second));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseTheSocketWhenThereIsNoPipeline(Kind kind) {
        assertThrows(NullPointerException.class, () -> factory(kind).newChannel(null));
    }
}
