package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients with a local address: a listener of the bind's future requests the connect. */
class BindThenConnectMatrixTest {
    @ParameterizedTest
    @EnumSource
    void shouldFireBoundBeforeConnected(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            for (int i = 0; i < 20; i++) {
                Recorder client = new Recorder();
                rig.client().setPipelineFactory(() -> Channels.pipeline(client));
                Await.success(rig.client().connect(server.getLocalAddress(), pair.freeAddress()), "the connection");
                client.awaitEvent("connected");
                assertEquals(List.of("open", "bound", "connected"), client.states());
            }
        }
    }
}
