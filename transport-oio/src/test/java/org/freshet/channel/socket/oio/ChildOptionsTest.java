package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.options.StrictOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Options of accepted connections, before and while the server runs. */
class ChildOptionsTest {
    private final Rig rig = Transport.DEFAULT_THREADS.rig();

    @AfterEach
    void closeAll() {
        rig.close();
    }

    @Test
    void shouldRefuseABindWithAnInvalidChildOption() {
        rig.server().setOption("child.backlog", 1);
        StrictOptions.during(() -> {
            ChannelException refused = assertThrows(ChannelException.class, () -> rig.listen(Recorder::new));
            assertInstanceOf(IllegalArgumentException.class, refused.getCause());
        });
    }

    @Test
    void shouldApplyAChangeToLaterConnectionsAndRefuseAWrongOne() throws IOException {
        Recorder first = new Recorder();
        Channel server = rig.listen(() -> first);
        try (ScriptedPeer one = ScriptedPeer.connect(server.getLocalAddress())) {
            one.send("x");
            first.awaitText("x");
            StrictOptions.during(() -> assertThrows(
                    IllegalArgumentException.class, () -> rig.server().setOption("child.backlog", 1)));
            rig.server().setOption("child.soLinger", 7);
            Recorder second = new Recorder();
            server.getConfig().setPipelineFactory(() -> Channels.pipeline(second));
            try (ScriptedPeer two = ScriptedPeer.connect(server.getLocalAddress())) {
                two.send("x");
                second.awaitText("x");
                assertEquals(-1, first.channel().getConfig().getOption(ChannelOption.SO_LINGER));
                assertEquals(7, second.channel().getConfig().getOption(ChannelOption.SO_LINGER));
            }
        }
    }
}
