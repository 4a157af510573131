/**
 * STOMP 1.0, 1.1 and 1.2: frames with a command, headers and content, for message brokers and their clients.
 *
 * <p>Start with {@link org.freshet.handler.codec.stomp.StompFrameDecoder} and
 * {@link org.freshet.handler.codec.stomp.StompFrameEncoder}. They exchange
 * {@link org.freshet.handler.codec.stomp.StompFrame}s with the handlers above them and learn the version from the
 * {@code CONNECTED} frame. A {@link org.freshet.handler.codec.stomp.StompHeartBeatHandler} above them negotiates, sends
 * and expects heart-beats; a {@link org.freshet.handler.codec.stomp.StompFrameAggregator} combines chunked frames.
 *
 * <pre>{@code
 * pipeline.addLast("decoder", new StompFrameDecoder());
 * pipeline.addLast("encoder", new StompFrameEncoder());
 * pipeline.addLast("heart-beat", new StompHeartBeatHandler(timer, Duration.ofSeconds(10), Duration.ofSeconds(10)));
 * pipeline.addLast("aggregator", new StompFrameAggregator(1 << 20));
 * }</pre>
 */
package org.freshet.handler.codec.stomp;
