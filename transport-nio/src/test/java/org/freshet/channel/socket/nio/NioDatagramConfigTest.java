package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.testing.options.DatagramConfigContract;
import org.junit.jupiter.api.Test;

class NioDatagramConfigTest extends DatagramConfigContract<NioDatagramConfig> {
    private DatagramChannel socket;

    @Override
    protected NioDatagramConfig open() throws IOException {
        socket = DatagramChannel.open();
        return new NioDatagramConfig(socket);
    }

    @Override
    protected <T> T ask(SocketOption<T> name) throws IOException {
        return socket.getOption(name);
    }

    @Override
    protected void closeSocket() throws IOException {
        socket.close();
    }

    @Override
    protected Set<String> furtherKeys() {
        Set<String> keys = new TreeSet<>(super.furtherKeys());
        keys.addAll(WriteLimitsChecks.KEYS);
        return keys;
    }

    @Test
    void shouldStoreItsWriteLimits() {
        WriteLimitsChecks.check(config);
    }
}
