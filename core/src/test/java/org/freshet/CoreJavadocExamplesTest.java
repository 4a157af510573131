package org.freshet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.testing.JavadocExamples;
import org.junit.jupiter.api.Test;

class CoreJavadocExamplesTest {
    @Test
    void shouldCompileEveryExample() {
        int examples = JavadocExamples.in("src/main/java")
                .importing(
                        "java.nio.file.Path",
                        "java.time.Duration",
                        "org.freshet.channel.ChannelHandler.Sharable",
                        "org.freshet.util.Timer")
                .given(
                        "ChannelPipeline pipeline;",
                        "ClientBootstrap bootstrap;",
                        "ServerBootstrap server;",
                        "Channel channel;",
                        "ChannelGroup group;",
                        "ChannelFactory factory;",
                        "ChannelBuffer message;",
                        "SocketAddress receiver;",
                        "Executor executor;",
                        "Timer timer;",
                        "File file;",
                        "User user;",
                        "static class User {}",
                        "static class Ping {}",
                        "record Order(String customer) {}",
                        "interface Orders { boolean isProcessing(); int number(); void whenDone(Runnable task); }",
                        "interface Service { CompletionStage<Object> lookUp(Object request); }",
                        "Service service;",
                        "abstract Object lookUp(Object request);",
                        "static class Executors { // of Java 21",
                        "    static Executor newVirtualThreadPerTaskExecutor() { return Runnable::run; }",
                        "}",
                        "static class MyHandler extends SimpleChannelHandler {}",
                        "static class AnsweringHandler extends SimpleChannelHandler {}",
                        "static class MyDecoder extends SimpleChannelHandler {}",
                        "static class MyRequestDecoder extends SimpleChannelHandler {}",
                        "static class MyResponseEncoder extends SimpleChannelHandler {}",
                        "static class MyBlockingHandler extends SimpleChannelHandler {}",
                        "static class NioServerSocketChannelFactory extends DefaultLocalServerChannelFactory {}",
                        "static class NioClientSocketChannelFactory extends DefaultLocalClientChannelFactory {}",
                        "static class NioDatagramChannelFactory extends DefaultLocalClientChannelFactory {}")
                .compile();
        assertTrue(examples > 15, "only " + examples + " examples found");
    }
}
