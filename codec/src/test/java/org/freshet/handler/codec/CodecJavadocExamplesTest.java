package org.freshet.handler.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.testing.JavadocExamples;
import org.junit.jupiter.api.Test;

class CodecJavadocExamplesTest {
    @Test
    void shouldCompileEveryExample() {
        int examples = JavadocExamples.in("src/main/java")
                .importing(
                        "org.freshet.bootstrap.*",
                        "org.freshet.buffer.*",
                        "org.freshet.channel.*",
                        "org.freshet.channel.socket.nio.*",
                        "org.freshet.handler.stream.*",
                        "org.freshet.util.*",
                        "java.time.Duration",
                        "org.freshet.util.Timer",
                        "static org.junit.jupiter.api.Assertions.*")
                .given(
                        "ServerBootstrap bootstrap;",
                        "ClientBootstrap clients;",
                        "ChannelPipeline pipeline;",
                        "Channel channel, inbound;",
                        "ChannelHandlerContext ctx;",
                        "SslContext a, b, tls;",
                        "StaticFiles files;",
                        "InflatingStream stream;",
                        "WindowedDeflater deflater;",
                        "ChannelBuffer message;",
                        "ChannelBufferFactory factory;",
                        "ChannelFactory channelFactory;",
                        "HttpRequest request;",
                        "Router router;",
                        "Map<String, String> names;",
                        "java.util.concurrent.Executor executor;",
                        "Timer timer;",
                        "File file, directory;",
                        "class MyBrotliEncoder extends SimpleChannelDownstreamHandler {}",
                        "class MyBrotliDecoder extends SimpleChannelUpstreamHandler {}",
                        "class ChatHandler extends WebSocketHandler {}",
                        "class HttpRequestHandler extends SimpleChannelUpstreamHandler {}",
                        "class Application extends SimpleChannelHandler {}",
                        "class GreetingHandler extends SimpleChannelUpstreamHandler {}",
                        "static final StringDecoder STRING_DECODER = new StringDecoder(UTF_8);",
                        "interface MyMessage { static com.google.protobuf.MessageLite getDefaultInstance() { return com.google.protobuf.StringValue.getDefaultInstance(); } }")
                .compile();
        assertTrue(examples > 5, "only " + examples + " examples found");
    }
}
