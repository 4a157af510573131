package org.freshet.channel.socket;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketOption;
import org.freshet.testing.options.ServerSocketConfigContract;

class DefaultServerSocketChannelConfigTest extends ServerSocketConfigContract<DefaultServerSocketChannelConfig> {
    private ServerSocket socket;

    @Override
    protected DefaultServerSocketChannelConfig open() throws IOException {
        socket = new ServerSocket();
        return new DefaultServerSocketChannelConfig(socket);
    }

    @Override
    protected <T> T ask(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    protected void closeSocket() throws IOException {
        socket.close();
    }
}
