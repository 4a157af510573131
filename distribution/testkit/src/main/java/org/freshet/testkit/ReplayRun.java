package org.freshet.testkit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testkit.capture.Capture;
import org.freshet.testkit.capture.Capture.Event;

/**
 * Replays the recorded events of all connections one by one: clients connect, send and close. Before the next event,
 * the server must have sent as much as was recorded. For the thread that holds the simulation's baton.
 */
final class ReplayRun {
    private static final int PORT = 1;

    /** More than any event takes. */
    private static final int STEPS_PER_EVENT = 300;

    /** With the depth of most stacks, so that they are read in one piece. */
    private static final StackWalker STACK =
            StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE), 100);

    /** A client of the capture. */
    private final class Client extends SimpleChannelUpstreamHandler {
        private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        private final ByteArrayOutputStream replayed = new ByteArrayOutputStream();
        private final List<Written> written = new ArrayList<>();
        private Channel channel;
        private boolean isClosed;

        /** Bytes were missing when nothing more happened, so the client no longer waits for them. */
        private boolean isShort;

        /** Whether it is not connected, or has received less than was recorded so far. */
        private boolean isBehind;

        /** The number of the event after the last recorded answer. */
        private int answeredUntil;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            channel = e.getChannel();
            settle();
            advance();
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer bytes = (ChannelBuffer) e.getMessage();
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            replayed.writeBytes(copy);
            settle();
            advance();
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            isClosed = true;
            settle();
            advance();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}

        /** Updates the count of waiting clients. */
        void settle() {
            boolean isBehindNow = !isClosed && !isShort && (channel == null || replayed.size() < recorded.size());
            if (isBehindNow != isBehind) {
                isBehind = isBehindNow;
                behind += isBehindNow ? 1 : -1;
            }
        }
    }

    /** A handler's class, and the number of bytes the server had written when that handler was done. */
    private record Written(int end, String handler) {}

    private final SimulatedNetwork network;
    private final List<Event> events;
    private final List<Client> clients = new ArrayList<>();
    private int next;
    private int connected;
    private int accepted;

    /** The number of clients that are behind. */
    private int behind;

    private boolean isAdvancing;

    ReplayRun(SimulatedNetwork network, Capture capture) {
        this.network = network;
        events = capture.events();
        for (int i = 0; i < capture.connections(); i++) {
            clients.add(new Client());
        }
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).kind() == Capture.Kind.RESPONSE) {
                clients.get(events.get(i).connection()).answeredUntil = i + 1;
            }
        }
    }

    /** Sets the network up. */
    void start(ChannelPipelineFactory pipelines) {
        network.server(PORT, () -> {
            ChannelPipeline pipeline = pipelines.getPipeline();
            pipeline.addFirst("freshet-testkit-writers", new WriterNotes(clients.get(accepted++)));
            return pipeline;
        });
        network.addSteps(STEPS_PER_EVENT * events.size());
        network.onceBound(this::advance);
        network.whenIdle(this::stopWaiting);
    }

    // ---- the events -------------------------------------------------------------------------------------------------

    private void advance() {
        if (isAdvancing) {
            return; // called from within a write below
        }
        isAdvancing = true;
        try {
            while (next < events.size() && mayTakeNext()) {
                take(events.get(next++));
            }
        } finally {
            isAdvancing = false;
        }
    }

    /**
     * All clients must have received what was recorded for them. So if one client's request makes the server send to
     * another, that output comes at the recorded place.
     */
    private boolean mayTakeNext() {
        return events.get(next).kind() == Capture.Kind.RESPONSE || behind == 0;
    }

    private void take(Event event) {
        switch (event.kind()) {
            case CONNECT -> connect();
            case REQUEST -> {
                Client client = clients.get(event.connection());
                if (!client.isClosed && client.channel != null) {
                    client.channel.write(ChannelBuffers.wrappedBuffer(event.bytes()));
                }
            }
            case RESPONSE -> {
                Client client = clients.get(event.connection());
                client.recorded.writeBytes(event.bytes());
                client.settle();
            }
            case END -> {
                Client client = clients.get(event.connection());
                if (client.channel != null) {
                    end(client, next);
                }
            }
        }
    }

    /** If the recorded server answered after the client's end, the client had closed only its output. */
    private static void end(Client client, int next) {
        if (client.answeredUntil > next) {
            Channels.shutdownOutput(client.channel);
        } else {
            client.channel.close();
        }
    }

    private void connect() {
        Client client = clients.get(connected++);
        client.settle();
        network.connect(PORT, () -> Channels.pipeline(client));
    }

    /**
     * Called when nothing happens although bytes are missing: stops waiting for them. Returns false if there are no
     * more events.
     */
    private boolean stopWaiting() {
        if (next == events.size()) {
            return false;
        }
        clients.stream().filter(client -> client.isBehind).forEach(client -> {
            client.isShort = true;
            client.settle();
        });
        network.step(this::advance);
        return true;
    }

    // ---- results ----------------------------------------------------------------------------------------------------

    byte[] recorded(int connection) {
        return clients.get(connection).recorded.toByteArray();
    }

    byte[] replayed(int connection) {
        return clients.get(connection).replayed.toByteArray();
    }

    /** Returns the handler that wrote a byte; empty for none. */
    String writerAt(int connection, int offset) {
        for (Written written : clients.get(connection).written) {
            if (offset < written.end()) {
                return written.handler();
            }
        }
        return "";
    }

    /** Records which handler of an accepted channel writes. The first handler of the pipeline. */
    private static final class WriterNotes extends SimpleChannelDownstreamHandler {
        private final Client client;
        private int bytes;

        WriterNotes(Client client) {
            this.client = client;
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof ChannelBuffer buffer) {
                bytes += buffer.readableBytes();
                client.written.add(new Written(bytes, writer(ctx)));
            }
            ctx.sendDownstream(e);
        }

        /** Returns the active handler furthest from the network: encoders below it only pass its data on. */
        private static String writer(ChannelHandlerContext ctx) {
            Class<?>[] handlers = ctx.getPipeline().toMap().values().stream()
                    .map(ChannelHandler::getClass)
                    .toArray(Class<?>[]::new);
            int writer = STACK.walk(frames -> furthest(handlers, frames.iterator()));
            return writer < 0 ? "" : handlers[writer].getName();
        }

        private static int furthest(Class<?>[] handlers, Iterator<StackWalker.StackFrame> frames) {
            int furthest = -1;
            while (frames.hasNext() && furthest < handlers.length - 1) {
                Class<?> type = frames.next().getDeclaringClass();
                int at = handlers.length - 1;
                while (at > furthest && (handlers[at] != type || type == WriterNotes.class)) {
                    at--;
                }
                furthest = at;
            }
            return furthest;
        }
    }
}
