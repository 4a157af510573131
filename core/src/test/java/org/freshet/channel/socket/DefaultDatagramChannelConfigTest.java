package org.freshet.channel.socket;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.SocketOption;
import org.freshet.testing.options.DatagramConfigContract;

class DefaultDatagramChannelConfigTest extends DatagramConfigContract<DefaultDatagramChannelConfig> {
    private DatagramSocket socket;

    @Override
    protected DefaultDatagramChannelConfig open() throws IOException {
        socket = new DatagramSocket(null);
        return new DefaultDatagramChannelConfig(socket);
    }

    @Override
    protected <T> T ask(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    protected void closeSocket() {
        socket.close();
    }
}
