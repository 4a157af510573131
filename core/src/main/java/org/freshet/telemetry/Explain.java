package org.freshet.telemetry;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.internal.time.SpareThreads;
import org.freshet.internal.transport.AcceptedChannels;

/**
 * Describes in plain text what channels are doing, so you can find out why one makes no progress. The text covers the
 * channel's state, the reason it is not reading or writing, and its handlers, with details from {@link Explainable}
 * ones.
 *
 * <p>It costs nothing until you ask. No text contains message content. Any thread may call it.
 *
 * <pre>{@code
 * Explain.channel(channel).thenAccept(System.out::print);
 * }</pre>
 */
public final class Explain {
    /** How long the I/O thread has to answer. */
    private static final long PATIENCE_MILLIS = 1000;

    private static final String LINE_INDENT = "  ";
    private static final String HANDLER_INDENT = "      ";

    private Explain() {}

    /**
     * Describes a channel and each of its handlers.
     *
     * @return always completes successfully, with lines of text: on the channel's I/O thread, or, if that does not
     *     answer within a second, on another thread with what is visible from there. The text then says so
     */
    public static CompletableFuture<String> channel(Channel channel) {
        return channel(channel, PATIENCE_MILLIS);
    }

    static CompletableFuture<String> channel(Channel channel, long patienceMillis) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (channel.isOpen()) {
            ChannelFuture asked = channel.getPipeline().execute(() -> answer.complete(describe(channel, "")));
            asked.addListener(done -> {
                if (!done.isSuccess()) {
                    answer.complete(describe(channel, "its I/O thread no longer runs tasks"));
                }
            });
        } else {
            answer.complete(describe(channel, ""));
        }
        if (!answer.isDone()) {
            SafetyTimer.Pending patience = SafetyTimer.startBlocking(patienceMillis, TimeUnit.MILLISECONDS, () -> {
                if (!answer.isDone()) {
                    answer.complete(
                            describe(channel, "its I/O thread does not answer; this is the view from another thread"));
                }
            });
            answer.whenComplete((text, failure) -> patience.cancel());
        }
        return answer;
    }

    /**
     * Lists the connections that a server channel has accepted, one line each: those with the most bytes waiting to be
     * sent first, then the oldest.
     *
     * @param max the maximum number of lines, at least 1; the text says how many connections it leaves out
     * @return completes with the lines, or exceptionally with {@link IllegalArgumentException} if the transport cannot
     *     list them
     */
    public static CompletableFuture<String> connections(Channel server, int max) {
        if (max < 1) {
            throw new IllegalArgumentException("max < 1: " + max);
        }
        Objects.requireNonNull(server, "server");
        if (!(server instanceof AcceptedChannels accepting)) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("not a server channel that can list its connections: " + server));
        }
        return accepting.acceptedChannels().thenApplyAsync(channels -> list(channels, max), SpareThreads::execute);
    }

    /** Copied for sorting, because the counters keep changing. */
    private record Ranked(Channel channel, long waitingBytes) {}

    private static String list(List<Channel> channels, int max) {
        StringBuilder text = new StringBuilder();
        channels.stream()
                .map(channel -> new Ranked(channel, WriteAccount.waitingBytes(channel)))
                .sorted(Comparator.comparingLong(Ranked::waitingBytes)
                        .reversed()
                        .thenComparing(ranked -> ranked.channel.getId()))
                .limit(max)
                .forEach(ranked -> text.append(summary(ranked.channel)).append('\n'));
        if (channels.size() > max) {
            text.append("and ").append(channels.size() - max).append(" more\n");
        }
        return text.toString();
    }

    /** Returns one line. */
    static String summary(Channel channel) {
        String client = OriginalAddress.isKnown(channel) ? " for " + OriginalAddress.of(channel) : "";
        return channel + client + " " + state(channel) + ", reading: " + reading(channel) + ", writing: "
                + writing(channel) + ", waiting bytes: " + WriteAccount.waitingBytes(channel);
    }

    // ---- a channel --------------------------------------------------------------------------------------------------

    /** @param remark empty if there is nothing to remark */
    private static String describe(Channel channel, String remark) {
        StringBuilder text = new StringBuilder().append(channel).append('\n');
        Explanation lines = new Explanation(text, LINE_INDENT);
        if (!remark.isEmpty()) {
            lines.put("note", remark);
        }
        try {
            describeState(channel, lines);
            text.append("handlers, from the transport up\n");
            for (Map.Entry<String, ChannelHandler> entry :
                    channel.getPipeline().toMap().entrySet()) {
                describe(channel.getPipeline().getContext(entry.getKey()), entry.getKey(), entry.getValue(), text);
            }
        } catch (RuntimeException | Error e) {
            lines.put("cannot be described any further", e);
        }
        return text.toString();
    }

    private static void describeState(Channel channel, Explanation lines) {
        lines.put("type", channel.getClass().getSimpleName());
        lines.put("state", state(channel));
        if (OriginalAddress.isKnown(channel)) {
            lines.put(
                    "original address", OriginalAddress.of(channel) + " => " + OriginalAddress.destinationOf(channel));
        }
        if (channel.isOpen()) {
            lines.put("reading", reading(channel));
            lines.put("writing", writing(channel));
            lines.put("waiting bytes", WriteAccount.waitingBytes(channel));
            lines.put("of them in the transport", WriteAccount.queuedBytes(channel));
        }
        if (channel instanceof LoopSource source) {
            source.loopStats().forEach(loop -> lines.put("loop", loop + (loop.isStalled() ? ", stalled" : "")));
        }
    }

    private static String state(Channel channel) {
        if (!channel.isOpen()) {
            return "closed: " + channel.getCloseReason();
        }
        return channel.isConnected() ? "connected" : channel.isBound() ? "bound" : "open";
    }

    private static String reading(Channel channel) {
        return channel.isReadable() ? "on" : "suspended";
    }

    private static String writing(Channel channel) {
        if (channel.isWritable()) {
            return "on";
        }
        StringJoiner bits = new StringJoiner(", ");
        for (int i = 1; i < Integer.SIZE; i++) {
            if (!channel.getUserDefinedWritability(i)) {
                bits.add(Integer.toString(i));
            }
        }
        return bits.length() == 0 ? "off, too many bytes are waiting" : "off by the user-defined writability " + bits;
    }

    // ---- its handlers -----------------------------------------------------------------------------------------------

    /** @param ctx null if the handler has been removed in the meantime */
    private static void describe(ChannelHandlerContext ctx, String name, ChannelHandler handler, StringBuilder text) {
        if (ctx == null) {
            return;
        }
        String directions = !ctx.canHandleDownstream() ? "up" : !ctx.canHandleUpstream() ? "down" : "up and down";
        boolean isShared = handler.getClass().isAnnotationPresent(ChannelHandler.Sharable.class);
        text.append(String.format(
                Locale.ROOT,
                "%s%s: %s (%s, %s)\n",
                LINE_INDENT,
                name,
                handler.getClass().getName(),
                directions,
                isShared ? "sharable" : "not sharable"));
        Explanation lines = new Explanation(text, HANDLER_INDENT);
        try {
            if (handler instanceof HoldsOutput holder) {
                lines.put("held bytes", holder.heldBytes(ctx.getChannel()));
            }
            if (handler instanceof Explainable explainable) {
                explainable.explain(ctx, lines);
            }
        } catch (RuntimeException | Error e) {
            lines.put("explain() failed", e);
        }
    }
}
