package org.freshet.testkit.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.freshet.channel.ChannelPipeline;
import org.freshet.testkit.matrix.Part.Layer;

/**
 * The parts of a pipeline, from the transport up: none, one or two. All valid combinations are generated, in both
 * orders.
 *
 * @param parts the lowest one first
 */
record Combination(List<Part> parts) {
    private static final String BARE = "BARE";

    /** Parts that answer as a server, so the writer can't be a client. */
    private static final Set<Part> SERVERS = Set.of(
            Part.ACCEPT_GUARD,
            Part.HTTP,
            Part.HTTP_AGGREGATED,
            Part.HTTP_COMPRESSED,
            Part.HTTP_SERVER,
            Part.HTTP_2,
            Part.WEB_SOCKET,
            Part.WEB_SOCKET_PLAIN,
            Part.SPDY);

    /** Why two parts can't be combined in this order. */
    private record Rule(String reason, BiPredicate<Part, Part> excludes) {}

    private static final List<Rule> RULES = List.of(
            new Rule("repeating a part shows nothing new", (lower, upper) -> lower == upper),
            new Rule(
                    "a connection is set up directly on the transport",
                    (lower, upper) -> upper.layer == Layer.CONNECTION),
            new Rule(
                    "the upper one doesn't understand the messages of the lower one",
                    (lower, upper) -> upper.below != null && upper.below != above(lower)),
            new Rule(
                    "behind a proxy the writer is a client",
                    (lower, upper) -> lower == Part.PROXY && SERVERS.contains(upper)),
            new Rule(
                    "requests run in parallel, so they must have been decoded",
                    (lower, upper) -> lower == Part.PIPELINED && upper.layer == Layer.CODEC),
            new Rule(
                    "what TLS receives must not change threads, see SslHandler",
                    (lower, upper) -> lower == Part.EXECUTION && upper == Part.TLS));

    private static Kind above(Part part) {
        return part.above == null ? Kind.BYTES : part.above;
    }

    /** The bare pipeline, each part, and each pair in each valid order. */
    static List<Combination> all() {
        List<Combination> all = new ArrayList<>(singles());
        for (Part lower : Part.values()) {
            for (Part upper : Part.values()) {
                if (RULES.stream().noneMatch(rule -> rule.excludes.test(lower, upper))) {
                    all.add(new Combination(List.of(lower, upper)));
                }
            }
        }
        return all;
    }

    /** The bare pipeline, and each part. */
    static List<Combination> singles() {
        List<Combination> singles = new ArrayList<>(List.of(new Combination(List.of())));
        for (Part part : Part.values()) {
            singles.add(new Combination(List.of(part)));
        }
        return singles;
    }

    /** @param name as returned by {@link #toString()} */
    static Combination of(String name) {
        return new Combination(
                name.equals(BARE)
                        ? List.of()
                        : Arrays.stream(name.split("\\+")).map(Part::valueOf).toList());
    }

    boolean has(Part part) {
        return parts.contains(part);
    }

    /** Whether both parts are present, in this order. */
    boolean isBelow(Part lower, Part upper) {
        return parts.equals(List.of(lower, upper));
    }

    /** The kind of messages that the application writes. */
    Kind kind() {
        Kind kind = Kind.BYTES;
        for (Part part : parts) {
            kind = part.above == null ? kind : part.above;
        }
        return kind;
    }

    /** Whether an input written by the application reaches a handler that reads it, unchanged. */
    boolean takesInputs() {
        int place = parts.indexOf(Part.CHUNKS);
        return place >= 0 && parts.subList(place, parts.size()).stream().allMatch(part -> part.layer == Layer.ANY);
    }

    /** Whether a file region written by the application reaches the transport unchanged. */
    boolean takesRegions() {
        return parts.stream().allMatch(Part::passesRegions);
    }

    void addToWriter(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> application) {
        addToWriter(0, site, pipeline, application);
    }

    private void addToWriter(int index, Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> application) {
        if (index == parts.size()) {
            application.accept(pipeline);
        } else {
            parts.get(index).addToWriter(site, pipeline, above -> addToWriter(index + 1, site, above, application));
        }
    }

    void addToReader(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> application) {
        addToReader(0, site, pipeline, application);
    }

    private void addToReader(int index, Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> application) {
        if (index == parts.size()) {
            application.accept(pipeline);
        } else {
            parts.get(index).addToReader(site, pipeline, above -> addToReader(index + 1, site, above, application));
        }
    }

    @Override
    public String toString() {
        return parts.isEmpty() ? BARE : parts.stream().map(Part::name).collect(Collectors.joining("+"));
    }
}
