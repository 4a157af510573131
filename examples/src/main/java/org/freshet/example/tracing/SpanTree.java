package org.freshet.example.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps ended spans, where a service would send them to a collector, and prints them as trees. Any thread. */
final class SpanTree implements SpanExporter {
    private static final int DEPTH = 3;
    private static final String NO_PARENT = "0000000000000000";

    private final List<SpanData> spans = new CopyOnWriteArrayList<>();

    @Override
    public CompletableResultCode export(Collection<SpanData> ended) {
        spans.addAll(ended);
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }

    /**
     * Returns whether there is this number of trees, each with a client's span, the server's below it, and that of the
     * work below that.
     */
    boolean print(int trees) {
        List<SpanData> roots = childrenOf(NO_PARENT);
        boolean isComplete = roots.size() == trees;
        for (SpanData root : roots) {
            System.out.println("trace " + root.getTraceId());
            isComplete &= print(root, 1) == DEPTH;
        }
        return isComplete;
    }

    /** Returns the depth of the tree below a span. */
    private int print(SpanData span, int depth) {
        System.out.println("  ".repeat(depth) + span.getKind() + " " + span.getName() + " "
                + span.getAttributes().asMap());
        int deepest = depth;
        for (SpanData child : childrenOf(span.getSpanId())) {
            deepest = Math.max(deepest, print(child, depth + 1));
        }
        return deepest;
    }

    private List<SpanData> childrenOf(String parentId) {
        return spans.stream()
                .filter(span -> span.getParentSpanId().equals(parentId))
                .toList();
    }
}
