package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2Error;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The example's calls, with grpc-java on the other side. */
class GrpcInteropTest {
    private static final String WAIT = "/freshet.example.Hello/Wait";
    private static final int MANY = 20_000;

    /** Long enough for a call to reach its method on a busy machine. */
    private static final long DEADLINE_MILLIS = 2_000;

    private static MethodDescriptor<StringValue, StringValue> method(MethodDescriptor.MethodType type, String path) {
        return MethodDescriptor.<StringValue, StringValue>newBuilder()
                .setType(type)
                .setFullMethodName(path.substring(1))
                .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .build();
    }

    private static final MethodDescriptor<StringValue, StringValue> GREET =
            method(MethodDescriptor.MethodType.UNARY, HelloService.GREET);
    private static final MethodDescriptor<StringValue, StringValue> CHAT =
            method(MethodDescriptor.MethodType.BIDI_STREAMING, HelloService.CHAT);
    private static final MethodDescriptor<StringValue, StringValue> WAITING =
            method(MethodDescriptor.MethodType.UNARY, WAIT);
    private static final MethodDescriptor<StringValue, StringValue> MISSING =
            method(MethodDescriptor.MethodType.UNARY, "/freshet.example.Hello/Missing");

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private Object nextSeen() throws InterruptedException {
        return seen.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Nested
    class OurServer {
        private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
        private final HashedWheelTimer timer = new HashedWheelTimer();
        private final ManagedChannel client;

        OurServer() {
            Map<String, GrpcMethod> methods = new HashMap<>(HelloService.methods());
            methods.put(WAIT, replies -> new GrpcMethod.Call() {
                @Override
                public void onMessage(byte[] message) {}

                @Override
                public void onEnd() {
                    seen.add("waits"); // never answered
                }

                @Override
                public void onCancelled(Http2Error error) {
                    seen.add(error);
                }
            });
            server.setPipelineFactory(() -> Channels.pipeline(
                    new Http2ServerHandler(() -> Channels.pipeline(new GrpcServerHandler(methods, timer)))));
            InetSocketAddress address =
                    (InetSocketAddress) server.bind(anyPort()).getLocalAddress();
            client = NettyChannelBuilder.forAddress(address).usePlaintext().build();
        }

        @AfterEach
        void release() throws InterruptedException {
            client.shutdownNow();
            assertTrue(client.awaitTermination(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
            server.releaseExternalResources();
            timer.stop();
        }

        private StringValue call(MethodDescriptor<StringValue, StringValue> method, String message) {
            return ClientCalls.blockingUnaryCall(
                    client,
                    method,
                    CallOptions.DEFAULT.withDeadlineAfter(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS),
                    StringValue.of(message));
        }

        @Test
        void shouldAnswerCalls() {
            assertEquals("Hello, Ada!", call(GREET, "Ada").getValue());
            assertEquals("Hello, !", call(GREET, "").getValue());
            String long1 = "x".repeat(1_000_000);
            assertEquals("Hello, " + long1 + "!", call(GREET, long1).getValue());
        }

        @Test
        void shouldReportAMissingMethod() {
            Status status = assertThrows(StatusRuntimeException.class, () -> call(MISSING, "Ada"))
                    .getStatus();
            assertEquals(Status.Code.UNIMPLEMENTED, status.getCode());
            assertEquals("no method /freshet.example.Hello/Missing", status.getDescription());
        }

        @Test
        void shouldRefuseATooLongMessage() {
            Status status = assertThrows(
                            StatusRuntimeException.class, () -> call(GREET, "x".repeat(GrpcMessages.MAX_LENGTH)))
                    .getStatus();
            assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode());
            assertEquals("Hello, Ada!", call(GREET, "Ada").getValue(), "the connection continues");
        }

        /** Small messages in both directions, for however long, aren't an attack. */
        @Test
        void shouldChat() throws InterruptedException {
            CountDownLatch ended = new CountDownLatch(1);
            int[] answered = {0};
            StreamObserver<StringValue> requests = ClientCalls.asyncBidiStreamingCall(
                    client.newCall(CHAT, CallOptions.DEFAULT), new StreamObserver<>() {
                        @Override
                        public void onNext(StringValue answer) {
                            answered[0] += answer.getValue().equals("A" + answered[0]) ? 1 : 0;
                        }

                        @Override
                        public void onError(Throwable t) {
                            seen.add(t);
                            ended.countDown();
                        }

                        @Override
                        public void onCompleted() {
                            seen.add("completed");
                            ended.countDown();
                        }
                    });
            for (int i = 0; i < MANY; i++) {
                requests.onNext(StringValue.of("a" + i));
            }
            requests.onCompleted();

            Await.latch(ended, "the end of the chat");
            assertEquals("completed", nextSeen());
            assertEquals(MANY, answered[0]);
        }

        /** grpc-java resets the stream with CANCEL when a deadline passes. */
        @Test
        void shouldBeNotifiedOfADeadline() throws InterruptedException {
            CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            Status status = assertThrows(
                            StatusRuntimeException.class,
                            () -> ClientCalls.blockingUnaryCall(client, WAITING, soon, StringValue.of("x")))
                    .getStatus();

            assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
            assertEquals("waits", nextSeen());
            assertEquals(Http2Error.CANCEL, nextSeen());
        }
    }

    @Nested
    class OurClient {
        private final Server server;
        private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory(1));
        private final HashedWheelTimer timer = new HashedWheelTimer();
        private final Http2ClientConnection connection;

        OurClient() throws Exception {
            server = NettyServerBuilder.forAddress(anyPort())
                    .addService(ServerServiceDefinition.builder("freshet.example.Hello")
                            .addMethod(GREET, ServerCalls.asyncUnaryCall((request, answers) -> {
                                if (request.getValue().isEmpty()) {
                                    answers.onError(Status.INVALID_ARGUMENT
                                            .withDescription("no name: 100 % ä")
                                            .asRuntimeException());
                                    return;
                                }
                                answers.onNext(StringValue.of("Hello, " + request.getValue() + "!"));
                                answers.onCompleted();
                            }))
                            .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(GrpcInteropTest::upperCased))
                            .addMethod(
                                    WAITING,
                                    ServerCalls.asyncUnaryCall(
                                            (request, answers) -> ((ServerCallStreamObserver<StringValue>) answers)
                                                    .setOnCancelHandler(() -> seen.add("cancelled"))))
                            .build())
                    .build()
                    .start();
            clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
            Channel channel = Await.success(
                            clients.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort())),
                            "the connection")
                    .getChannel();
            connection = Http2ClientConnection.of(channel);
        }

        @AfterEach
        void release() throws InterruptedException {
            clients.releaseExternalResources();
            timer.stop();
            server.shutdownNow();
            assertTrue(server.awaitTermination(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        }

        /** Sends one message, and reports what it receives. */
        private void call(String method, String message, long millis) {
            GrpcClientCall.start(connection, method, timer, millis, new GrpcClientCall.Listener() {
                @Override
                public void onOpen(GrpcClientCall call) {
                    call.send(StringValue.of(message));
                    call.halfClose();
                }

                @Override
                public void onMessage(GrpcClientCall call, byte[] answer) throws Exception {
                    seen.add(StringValue.parseFrom(answer).getValue());
                }

                @Override
                public void onEnd(GrpcStatus status) {
                    seen.add(status);
                }
            });
        }

        @Test
        void shouldBeAnswered() throws InterruptedException {
            String long1 = "x".repeat(1_000_000);
            for (String name : new String[] {"Ada", long1}) {
                call(HelloService.GREET, name, Await.LIMIT.toMillis());
                assertEquals("Hello, " + name + "!", nextSeen());
                assertEquals(GrpcStatus.OK, nextSeen());
            }
        }

        @Test
        void shouldReadAStatusWithoutAMessage() throws InterruptedException {
            call(HelloService.GREET, "", Await.LIMIT.toMillis());
            assertEquals(new GrpcStatus(GrpcStatus.INVALID_ARGUMENT, "no name: 100 % ä"), nextSeen());
            call("/freshet.example.Hello/Missing", "", Await.LIMIT.toMillis());
            assertEquals(GrpcStatus.UNIMPLEMENTED, ((GrpcStatus) nextSeen()).code());
        }

        @Test
        void shouldChat() throws InterruptedException {
            CountDownLatch ended = new CountDownLatch(1);
            int[] answered = {0};
            GrpcClientCall.start(
                    connection, HelloService.CHAT, timer, Await.LIMIT.toMillis(), new GrpcClientCall.Listener() {
                        @Override
                        public void onOpen(GrpcClientCall call) {
                            for (int i = 0; i < MANY; i++) {
                                call.send(StringValue.of("a" + i));
                            }
                            call.halfClose();
                        }

                        @Override
                        public void onMessage(GrpcClientCall call, byte[] answer) throws Exception {
                            boolean isNext =
                                    StringValue.parseFrom(answer).getValue().equals("A" + answered[0]);
                            answered[0] += isNext ? 1 : 0;
                        }

                        @Override
                        public void onEnd(GrpcStatus status) {
                            seen.add(status);
                            ended.countDown();
                        }
                    });

            Await.latch(ended, "the end of the chat");
            assertEquals(GrpcStatus.OK, nextSeen());
            assertEquals(MANY, answered[0]);
        }

        @Test
        void shouldCancelOnBothSidesAtTheDeadline() throws InterruptedException {
            call(WAIT, "x", DEADLINE_MILLIS);

            Object first = nextSeen();
            Object second = nextSeen();
            GrpcStatus status = (GrpcStatus) (first instanceof GrpcStatus ? first : second);
            assertEquals(GrpcStatus.DEADLINE_EXCEEDED, status.code());
            assertTrue(first.equals("cancelled") || second.equals("cancelled"));
        }
    }

    private static StreamObserver<StringValue> upperCased(StreamObserver<StringValue> answers) {
        return new StreamObserver<>() {
            @Override
            public void onNext(StringValue message) {
                answers.onNext(StringValue.of(message.getValue().toUpperCase(Locale.ROOT)));
            }

            @Override
            public void onError(Throwable t) {
                answers.onError(t);
            }

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }
}
