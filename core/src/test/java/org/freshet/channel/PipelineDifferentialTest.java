package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.freshet.testing.Seeds;
import org.jboss.netty.channel.ChannelFuture;
import org.junit.jupiter.api.Test;

/**
 * The same random edits, look-ups and events on our pipeline and on Netty 3's: same names in the same order, same
 * exceptions, same handlers reached. Each addition gets a new or a sharable handler, because Netty accepts both.
 */
class PipelineDifferentialTest {
    private static final int RUNS = 300;
    private static final int STEPS = 120;
    private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g", "h"};

    /** The handlers that the current event has reached; each side records them in its own list. */
    private final List<String> met = new ArrayList<>();

    private final List<String> nettyMet = new ArrayList<>();

    // ---- handlers in pairs: one of ours, one of Netty's, with the same behaviour ----

    private static final class Up extends SimpleChannelUpstreamHandler {
        private final List<String> met;

        Up(List<String> met) {
            this.met = met;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendUpstream(e);
        }
    }

    private static final class Down extends SimpleChannelDownstreamHandler {
        private final List<String> met;

        Down(List<String> met) {
            this.met = met;
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    @ChannelHandler.Sharable
    private static final class Both extends SimpleChannelHandler {
        private final List<String> met;

        Both(List<String> met) {
            this.met = met;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendUpstream(e);
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    private static final class NettyUp extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        private final List<String> met;

        NettyUp(List<String> met) {
            this.met = met;
        }

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendUpstream(e);
        }
    }

    private static final class NettyDown extends org.jboss.netty.channel.SimpleChannelDownstreamHandler {
        private final List<String> met;

        NettyDown(List<String> met) {
            this.met = met;
        }

        @Override
        public void writeRequested(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    private static final class NettyBoth extends org.jboss.netty.channel.SimpleChannelHandler {
        private final List<String> met;

        NettyBoth(List<String> met) {
            this.met = met;
        }

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendUpstream(e);
        }

        @Override
        public void writeRequested(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            met.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    private record Pair(ChannelHandler ours, org.jboss.netty.channel.ChannelHandler netty) {}

    /** A Netty handler and its Freshet counterpart; both are known by the index of their pair. */
    private final Map<Object, Integer> indexOf = new HashMap<>();

    private final List<Pair> pairs = new ArrayList<>();

    private Pair newPair(Random random) {
        Pair pair = switch (random.nextInt(5)) {
            case 0, 1 -> new Pair(new Up(met), new NettyUp(nettyMet));
            case 2 -> new Pair(new Down(met), new NettyDown(nettyMet));
            case 3 -> new Pair(new Both(met), new NettyBoth(nettyMet));
            default -> pairs.isEmpty() ? new Pair(new Both(met), new NettyBoth(nettyMet)) : sharedPair();
        };
        if (!indexOf.containsKey(pair.ours)) {
            indexOf.put(pair.ours, pairs.size());
            indexOf.put(pair.netty, pairs.size());
            pairs.add(pair);
        }
        return pair;
    }

    private Pair sharedPair() {
        for (Pair pair : pairs) {
            if (pair.ours instanceof Both) {
                return pair;
            }
        }
        return new Pair(new Both(met), new NettyBoth(nettyMet));
    }

    // ---- steps ----

    /** The outcome of a call, comparable between the two. */
    private String outcome(Callable<?> call) {
        try {
            Object result = call.call();
            Integer index = indexOf.get(result);
            return index == null ? String.valueOf(result) : "handler " + index;
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    private record Step(String text, Callable<?> ours, Callable<?> netty) {}

    private Step step(
            Random random, ChannelPipeline ours, org.jboss.netty.channel.ChannelPipeline netty, PaperChannel channel) {
        String name = NAMES[random.nextInt(NAMES.length)];
        String other = NAMES[random.nextInt(NAMES.length)];
        int kind = random.nextInt(18);
        Pair pair = kind < 9 ? newPair(random) : null;
        Pair known = pairs.isEmpty() ? newPair(random) : pairs.get(random.nextInt(pairs.size()));
        return switch (kind) {
            case 0 ->
                new Step(
                        "addFirst " + name,
                        () -> run(() -> ours.addFirst(name, pair.ours)),
                        () -> run(() -> netty.addFirst(name, pair.netty)));
            case 1, 2 ->
                new Step(
                        "addLast " + name,
                        () -> run(() -> ours.addLast(name, pair.ours)),
                        () -> run(() -> netty.addLast(name, pair.netty)));
            case 3, 4 ->
                new Step(
                        "addBefore " + other + " " + name,
                        () -> run(() -> ours.addBefore(other, name, pair.ours)),
                        () -> run(() -> netty.addBefore(other, name, pair.netty)));
            case 5, 6 ->
                new Step(
                        "addAfter " + other + " " + name,
                        () -> run(() -> ours.addAfter(other, name, pair.ours)),
                        () -> run(() -> netty.addAfter(other, name, pair.netty)));
            case 7 -> {
                String newName = notToLoseAnEnd(ours, ours.getContext(other), name);
                yield new Step(
                        "replace " + other + " by " + newName,
                        () -> ours.replace(other, newName, pair.ours),
                        () -> netty.replace(other, newName, pair.netty));
            }
            case 8 -> {
                String newName = notToLoseAnEnd(ours, ours.getContext(known.ours), name);
                yield new Step(
                        "replace handler by " + newName,
                        () -> run(() -> ours.replace(known.ours, newName, pair.ours)),
                        () -> run(() -> netty.replace(known.netty, newName, pair.netty)));
            }
            case 9 -> new Step("remove " + name, () -> ours.remove(name), () -> netty.remove(name));
            case 10 ->
                new Step(
                        "remove handler",
                        () -> run(() -> ours.remove(known.ours)),
                        () -> run(() -> netty.remove(known.netty)));
            case 11 -> new Step("remove class", () -> ours.remove(Up.class), () -> netty.remove(NettyUp.class));
            case 12 -> new Step("removeFirst", ours::removeFirst, netty::removeFirst);
            case 13 -> new Step("removeLast", ours::removeLast, netty::removeLast);
            case 14 -> new Step("get " + name, () -> ours.get(name), () -> netty.get(name));
            case 15 ->
                new Step(
                        "get class",
                        () -> ours.get(ChannelDownstreamHandler.class),
                        () -> netty.get(org.jboss.netty.channel.ChannelDownstreamHandler.class));
            case 16 ->
                new Step(
                        "ends",
                        () -> indexOf.get(ours.getFirst()) + " " + indexOf.get(ours.getLast()),
                        () -> indexOf.get(netty.getFirst()) + " " + indexOf.get(netty.getLast()));
            default -> new Step("events", () -> ourEvents(channel), () -> nettyEvents(netty));
        };
    }

    /**
     * Netty removes the first or last handler before it finds that the new name is taken; Freshet changes nothing then.
     */
    private static String notToLoseAnEnd(ChannelPipeline ours, ChannelHandlerContext old, String newName) {
        if (old == null || ours.get(newName) == null) {
            return newName;
        }
        List<String> names = ours.getNames();
        boolean atAnEnd = names.indexOf(old.getName()) == 0 || names.indexOf(old.getName()) == names.size() - 1;
        return atAnEnd ? old.getName() : newName;
    }

    private static Object run(Runnable call) {
        call.run();
        return null;
    }

    /** Both would only log a complaint about an upstream event without a handler. */
    private List<String> ourEvents(PaperChannel channel) {
        met.clear();
        if (channel.getPipeline().get(ChannelUpstreamHandler.class) != null) {
            Channels.fireMessageReceived(channel, "up");
        }
        met.add("|");
        channel.write("down");
        return List.copyOf(met);
    }

    private List<String> nettyEvents(org.jboss.netty.channel.ChannelPipeline netty) {
        nettyMet.clear();
        org.jboss.netty.channel.Channel channel = netty.getChannel();
        if (netty.toMap().values().stream()
                .anyMatch(org.jboss.netty.channel.ChannelUpstreamHandler.class::isInstance)) {
            org.jboss.netty.channel.Channels.fireMessageReceived(channel, "up");
        }
        nettyMet.add("|");
        org.jboss.netty.channel.Channels.write(channel, "down");
        return List.copyOf(nettyMet);
    }

    @Test
    void shouldBehaveLikeNetty3UnderRandomEdits() {
        Random random = Seeds.random();
        for (int run = 0; run < RUNS; run++) {
            ChannelPipeline ours = Channels.pipeline();
            PaperChannel channel = new PaperChannel(ours);
            org.jboss.netty.channel.ChannelPipeline netty = org.jboss.netty.channel.Channels.pipeline();
            NettyPaper.attach(netty);
            indexOf.clear();
            pairs.clear();
            List<String> history = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                Step step = step(random, ours, netty, channel);
                history.add(step.text);
                String where = "seed " + Seeds.seed() + ", run " + run + ", after " + history;
                assertEquals(outcome(step.netty), outcome(step.ours), where);
                assertEquals(netty.getNames(), ours.getNames(), where);
                assertEquals(
                        indices(netty.toMap().values()), indices(ours.toMap().values()), where);
            }
        }
    }

    private List<Integer> indices(Iterable<?> handlers) {
        List<Integer> indices = new ArrayList<>();
        handlers.forEach(handler -> indices.add(indexOf.get(handler)));
        return indices;
    }

    /** A minimal Netty channel. */
    private static final class NettyPaper extends org.jboss.netty.channel.AbstractChannel {
        private NettyPaper(org.jboss.netty.channel.ChannelPipeline pipeline) {
            super(null, null, pipeline, new org.jboss.netty.channel.AbstractChannelSink() {
                @Override
                public void eventSunk(
                        org.jboss.netty.channel.ChannelPipeline ignored, org.jboss.netty.channel.ChannelEvent e) {
                    ChannelFuture future = e.getFuture();
                    future.setSuccess();
                }
            });
        }

        static void attach(org.jboss.netty.channel.ChannelPipeline pipeline) {
            new NettyPaper(pipeline);
        }

        @Override
        public org.jboss.netty.channel.ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public java.net.SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public java.net.SocketAddress getRemoteAddress() {
            return PaperChannel.PEER;
        }
    }
}
