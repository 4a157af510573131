package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.channel.socket.nio.receive.ReceiveBufferTuner;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiveBufferTunerTest {
    private static final int START_BYTES = 4 * 1024;
    private static final int CEILING_BYTES = 128 * 1024;

    private SocketChannel socket;

    @BeforeEach
    void open() throws Exception {
        socket = SocketChannel.open();
        socket.setOption(StandardSocketOptions.SO_RCVBUF, START_BYTES);
    }

    @AfterEach
    void close() throws Exception {
        socket.close();
    }

    private int size() throws Exception {
        return socket.getOption(StandardSocketOptions.SO_RCVBUF);
    }

    @Test
    void shouldGrowAfterTwoFullTurnsInARow() throws Exception {
        int before = size();
        ReceiveBufferTuner tuner = new ReceiveBufferTuner(CEILING_BYTES);
        tuner.onRead(socket, before);
        assertEquals(before, size(), "one full turn may be chance");
        tuner.onRead(socket, 1);
        tuner.onRead(socket, before);
        assertEquals(before, size(), "not in a row");
        tuner.onRead(socket, before);
        assertTrue(size() >= 2 * before, size() + " after " + before);
    }

    @Test
    void shouldEndAtAFewTimesWhatComesAtOnce() throws Exception {
        ReceiveBufferTuner tuner = new ReceiveBufferTuner(CEILING_BYTES);
        int message = 8088;
        for (int i = 0; i < 100; i++) {
            tuner.onRead(socket, Math.min(message, size() / 2));
        }
        assertTrue(size() > 2 * message && size() <= 16 * message, "ended at " + size());
    }

    @Test
    void shouldStopAtTheCeiling() throws Exception {
        ReceiveBufferTuner tuner = new ReceiveBufferTuner(16 * 1024);
        for (int i = 0; i < 100; i++) {
            tuner.onRead(socket, 1_000_000);
        }
        // Linux reports twice what it was asked for.
        assertTrue(size() <= 2 * 16 * 1024, "grew to " + size());
    }

    @Test
    void shouldTuneAnAcceptedConnectionWhoseOptionIsSet() throws Exception {
        try (Rig rig = new Rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.bind(
                    () -> Channels.pipeline(accepted),
                    Map.of("child.receiveBufferAutoTune", CEILING_BYTES, "receiveBufferSize", START_BYTES));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                Channel channel = accepted.awaitConnected();
                SocketChannelConfig config = (SocketChannelConfig) channel.getConfig();
                int before = config.getReceiveBufferSize();
                int bytes = 2_000_000;
                peer.send(new byte[bytes]);
                accepted.awaitReceived(bytes);
                assertTrue(config.getReceiveBufferSize() > before, "still " + before);
            }
        }
    }

    @Test
    void shouldReadTheOptionBackAndRefuseNegativeCeilings() {
        NioSocketConfig config = new NioSocketConfig(socket);
        assertEquals(0, config.getReceiveBufferAutoTune());
        assertTrue(config.setOption("receiveBufferAutoTune", "65536"));
        assertEquals(65536, config.getOption(ChannelOption.RECEIVE_BUFFER_AUTO_TUNE));
        config.setReceiveBufferAutoTune(0);
        assertEquals(0, config.getReceiveBufferAutoTune());
        assertThrows(IllegalArgumentException.class, () -> config.setReceiveBufferAutoTune(-1));
    }
}
