package org.freshet.handler.codec.embedder;

import java.util.function.Consumer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;

/** The last handler of an embedder's pipeline: collects messages and failures, drops other events. */
final class ProductCollector implements ChannelUpstreamHandler {
    private final Consumer<Object> products;
    private final Consumer<Throwable> failures;

    ProductCollector(Consumer<Object> products, Consumer<Throwable> failures) {
        this.products = products;
        this.failures = failures;
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent message) {
            products.accept(message.getMessage());
        } else if (e instanceof ExceptionEvent failure) {
            failures.accept(failure.getCause());
        }
    }
}
