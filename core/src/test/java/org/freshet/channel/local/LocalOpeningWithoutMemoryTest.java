package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.internal.EventKind;
import org.freshet.internal.SelectivePipeline;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory runs out once while a connection begins. Then both ends close, because nothing repeats the events. */
class LocalOpeningWithoutMemoryTest {
    private static final LocalAddress NAME = new LocalAddress("an opening without memory");

    private final Recorder ofAccepted = new Recorder();
    private final Recorder ofClient = new Recorder();
    private final DefaultLocalServerChannelFactory servers = new DefaultLocalServerChannelFactory();
    private final Rig rig = new Rig(servers, new DefaultLocalClientChannelFactory());

    @AfterEach
    void end() {
        rig.close();
    }

    /** A pipeline that has no memory the first time that an argument of one of its methods matches. */
    private static ChannelPipeline starved(Recorder recorder, Predicate<Object> argument) {
        ChannelPipeline pipeline = Channels.pipeline(recorder);
        AtomicBoolean hasFailed = new AtomicBoolean();
        return (ChannelPipeline) Proxy.newProxyInstance(
                ChannelPipeline.class.getClassLoader(),
                new Class<?>[] {ChannelPipeline.class, SelectivePipeline.class},
                (self, method, args) -> {
                    if (args != null && argument.test(args[0]) && !hasFailed.getAndSet(true)) {
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    try {
                        return method.invoke(pipeline, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void connectToAnAcceptedChannelWithoutMemoryFor(EventKind event) {
        rig.server().setPipelineFactory(() -> starved(ofAccepted, event::equals));
        rig.server().bind(NAME);
        rig.connecting(NAME, ofClient);
        ofAccepted.awaitClosed();
        ofClient.awaitClosed();
    }

    @Test
    void shouldCloseAnAcceptedChannelThatCannotBeOpened() {
        connectToAnAcceptedChannelWithoutMemoryFor(EventKind.OPEN);
        assertEquals(List.of("open", "closed"), ofAccepted.events());
        assertEquals(
                CloseReason.Kind.HANDLER_FAILED,
                ofAccepted.channel().getCloseReason().kind());
    }

    @Test
    void shouldCloseAnAcceptedChannelThatCannotAnnounceTheConnection() {
        connectToAnAcceptedChannelWithoutMemoryFor(EventKind.CONNECTED);
        assertEquals(List.of("open", "bound", "unbound", "closed"), ofAccepted.events());
    }

    @Test
    void shouldCloseAClientThatCannotAnnounceTheConnection() {
        rig.listen(NAME, () -> ofAccepted);
        rig.client().setPipelineFactory(() -> starved(ofClient, EventKind.CONNECTED::equals));
        rig.client().connect(NAME);
        ofClient.awaitClosed();
        ofAccepted.awaitClosed();
        assertEquals(List.of("open", "bound", "unbound", "closed"), ofClient.events());
    }

    @Test
    void shouldFailTheConnectIfTheServerCannotAnnounceTheChannel() {
        Recorder ofServer = new Recorder();
        Channel server = servers.newChannel(starved(ofServer, ChildChannelStateEvent.class::isInstance));
        server.getConfig().setPipelineFactory(() -> Channels.pipeline(ofAccepted));
        Await.success(server.bind(NAME), "the bind");
        Throwable cause = Await.failure(rig.connecting(NAME, ofClient), "the connect");
        assertEquals(OutOfMemoryError.class, cause.getCause().getClass());
        ofClient.awaitClosed();
        ofAccepted.awaitClosed();
        assertEquals(List.of("open", "closed"), ofAccepted.events());
        Await.done(server.close(), "the close");
    }
}
