package org.freshet.channel.socket;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import org.freshet.testing.options.SocketConfigContract;

class DefaultSocketChannelConfigTest extends SocketConfigContract<DefaultSocketChannelConfig> {
    private final Socket socket = new Socket();

    @Override
    protected DefaultSocketChannelConfig open() {
        return new DefaultSocketChannelConfig(socket);
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
