package org.freshet.bootstrap;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.tap.WireTap;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.telemetry.Explain;

/** JMX operations on the connections of a bootstrap; they may block. Any thread may call any method. */
final class ManagedConnections {
    private static final long LIMIT_SECONDS = 5;

    private final Supplier<List<Channel>> boundChannels;

    private record Tapping(Channel channel, WireTap tap) {}

    /** Null while no connection is tapped. */
    private final AtomicReference<Tapping> tapping = new AtomicReference<>();

    /** @param boundChannels the channels whose connections these are */
    ManagedConnections(Supplier<List<Channel>> boundChannels) {
        this.boundChannels = boundChannels;
    }

    String list(int max) {
        StringBuilder text = new StringBuilder();
        for (Channel bound : boundChannels.get()) {
            text.append(bound).append('\n');
            if (bound instanceof AcceptedChannels) {
                text.append(await(Explain.connections(bound, max)));
            }
        }
        return text.toString();
    }

    String explain(String id) {
        return await(Explain.channel(require(id)));
    }

    void startTap(String id, String above, String file, long maxFileBytes) {
        Channel channel = require(id);
        Tapping started = new Tapping(channel, open(file, maxFileBytes));
        if (!tapping.compareAndSet(null, started)) {
            started.tap.close();
            throw new IllegalStateException("another connection is being tapped; stop that first");
        }
        ChannelFuture attached =
                above.isEmpty() ? started.tap.attach(channel) : started.tap.attachAbove(channel, above);
        if (!attached.awaitUninterruptibly(LIMIT_SECONDS, TimeUnit.SECONDS) || !attached.isSuccess()) {
            stopTap();
            throw new IllegalArgumentException("cannot tap " + channel + ": " + attached.getCause());
        }
    }

    private static WireTap open(String file, long maxFileBytes) {
        try {
            return WireTap.to(Path.of(file)).maxFileBytes(maxFileBytes).open();
        } catch (IOException e) {
            throw new IllegalStateException("cannot write " + file + ": " + e, e);
        }
    }

    void stopTap() {
        Tapping stopped = tapping.getAndSet(null);
        if (stopped != null) {
            stopped.tap.detach(stopped.channel).awaitUninterruptibly(LIMIT_SECONDS, TimeUnit.SECONDS);
            stopped.tap.close();
        }
    }

    String drain(Bootstrap bootstrap, long seconds) {
        if (!(bootstrap instanceof ServerBootstrap servers)) {
            throw new IllegalStateException("not a ServerBootstrap");
        }
        try {
            return servers.drain(Duration.ofSeconds(seconds)).join().toString();
        } catch (CompletionException e) {
            throw new IllegalStateException(e.getCause().toString()); // see await
        }
    }

    private Channel require(String id) {
        int wanted = parse(id);
        for (Channel channel : all()) {
            if (channel.getId() == wanted) {
                return channel;
            }
        }
        throw new IllegalArgumentException("no connection has the id " + id);
    }

    private static int parse(String id) {
        try {
            return id.startsWith("0x") ? Integer.parseUnsignedInt(id.substring(2), 16) : Integer.parseInt(id);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not an id such as 0x0000002a: " + id, e);
        }
    }

    private List<Channel> all() {
        List<Channel> all = new ArrayList<>();
        for (Channel bound : boundChannels.get()) {
            all.add(bound);
            if (bound instanceof AcceptedChannels accepting) {
                all.addAll(await(accepting.acceptedChannels()));
            }
        }
        return all;
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("an I/O thread did not answer within " + LIMIT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().toString()); // the console may not have the class of the cause
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
