package org.freshet.example.stompchat;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.stomp.StompCommand;
import org.freshet.handler.codec.stomp.StompFrame;
import org.freshet.handler.codec.stomp.StompHeaders;

/** The subscribers of each topic. Any thread. */
final class Topics {
    private record Subscription(Channel channel, String id) {}

    private final Map<String, Set<Subscription>> subscriptions = new ConcurrentHashMap<>();
    private final AtomicLong messages = new AtomicLong();

    void subscribe(String destination, Channel channel, String id) {
        subscriptions.compute(destination, (name, present) -> {
            Set<Subscription> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(new Subscription(channel, id));
            return all;
        });
    }

    void unsubscribe(String destination, Channel channel, String id) {
        subscriptions.computeIfPresent(destination, (name, all) -> {
            all.remove(new Subscription(channel, id));
            return all.isEmpty() ? null : all;
        });
    }

    /** Sends a frame's content to all subscribers of its destination. */
    void publish(StompFrame sent) {
        String destination = sent.headers().get(StompHeaders.DESTINATION);
        String messageId = Long.toString(messages.incrementAndGet());
        String contentType = sent.headers().get(StompHeaders.CONTENT_TYPE);
        for (Subscription subscription : subscriptions.getOrDefault(destination, Set.of())) {
            StompFrame message = new StompFrame(StompCommand.MESSAGE);
            message.headers()
                    .set(StompHeaders.SUBSCRIPTION, subscription.id())
                    .set(StompHeaders.MESSAGE_ID, messageId)
                    .set(StompHeaders.DESTINATION, destination);
            if (contentType != null) {
                message.headers().set(StompHeaders.CONTENT_TYPE, contentType);
            }
            subscription.channel().write(message.setContent(sent.content().duplicate()));
        }
    }
}
