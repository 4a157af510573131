package org.freshet.channel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of {@link RemovalFullHeapTest}: removes handlers while the heap has room for a few bytes only, each time for some more. Then
 * repeats the removals that failed, and prints how many of the pipelines are still kept by anything after that.
 */
final class RemovalsInFullHeap {
    private static final int ROUNDS = 16;

    /** With that much, a removal succeeds. */
    private static final int MOST_SPARE_BYTES = 120;

    private static Object[] filling;
    private static byte[] spare;

    private RemovalsInFullHeap() {}

    private static final class Handler extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        @Override
        public void beforeAdd(ChannelHandlerContext ctx) {}

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {}

        @Override
        public void beforeRemove(ChannelHandlerContext ctx) {}

        @Override
        public void afterRemove(ChannelHandlerContext ctx) {}
    }

    private static void fill() {
        for (int size = 1 << 16; size > 0; size /= 16) {
            try {
                while (true) {
                    Object[] next = new Object[size];
                    next[0] = filling;
                    filling = next;
                }
            } catch (OutOfMemoryError full) {
                continue;
            }
        }
    }

    private static boolean tryToRemove(ChannelPipeline pipeline) {
        try {
            pipeline.remove("one");
            return true;
        } catch (OutOfMemoryError | ChannelPipelineException noMemory) {
            return false;
        }
    }

    private static ChannelPipeline newPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("one", new Handler());
        pipeline.addLast("two", new Handler());
        return pipeline;
    }

    private static int stuck(List<ChannelPipeline> pipelines) {
        int stuck = 0;
        for (ChannelPipeline pipeline : pipelines) {
            if (pipeline.get("one") != null && !tryToRemove(pipeline)) {
                stuck++;
            }
        }
        return stuck;
    }

    public static void main(String[] args) {
        tryToRemove(newPipeline()); // loads the classes
        List<ChannelPipeline> pipelines = new ArrayList<>();
        List<WeakReference<ChannelPipeline>> references = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            pipelines.add(newPipeline());
            references.add(new WeakReference<>(pipelines.get(i)));
        }
        int failed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            spare = new byte[MOST_SPARE_BYTES * i / ROUNDS];
            fill();
            spare = null;
            failed += tryToRemove(pipelines.get(i)) ? 0 : 1;
            filling = null;
        }
        int stuck = stuck(pipelines);
        pipelines.clear();
        System.gc();
        long kept = references.stream().filter(each -> each.get() != null).count();
        System.out.println("failed=" + (failed > 0) + " stuck=" + stuck + " kept=" + kept);
    }
}
