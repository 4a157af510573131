package org.freshet.example.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;

/** The clients of {@link GrpcInteropCasesTest}. */
final class TestClients {
    private TestClients() {}

    /** The example's client. */
    static final class Ours implements TestCall.Client {
        private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory(1));
        private final HashedWheelTimer timer = new HashedWheelTimer();
        private final Http2ClientConnection connection;

        Ours(InetSocketAddress server) {
            clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
            Channel channel =
                    Await.success(clients.connect(server), "the connection").getChannel();
            connection = Http2ClientConnection.of(channel);
        }

        @Override
        public TestCall open(String path, Map<String, String> metadata, long timeoutMillis) {
            HttpHeaders headers = new DefaultHttpHeaders();
            metadata.forEach(headers::set);
            OurCall call = new OurCall();
            GrpcClientCall.start(connection, path, headers, timer, timeoutMillis, call.listener);
            Await.result(call.opened, "the call's opening");
            return call;
        }

        @Override
        public void close() {
            clients.releaseExternalResources();
            timer.stop();
        }
    }

    private static final class OurCall extends TestCall {
        private final CompletableFuture<GrpcClientCall> opened = new CompletableFuture<>();

        private final GrpcClientCall.Listener listener = new GrpcClientCall.Listener() {
            @Override
            public void onOpen(GrpcClientCall call) {
                opened.complete(call);
            }

            @Override
            public void onHeaders(HttpHeaders headers) {
                onMetadata(TestService.ECHO_INITIAL, headers.get(TestService.ECHO_INITIAL));
            }

            @Override
            public void onMessage(GrpcClientCall call, byte[] message) throws InvalidProtocolBufferException {
                OurCall.this.onMessage(TestMessages.parse(message));
            }

            @Override
            public void onTrailers(HttpHeaders trailers) {
                onMetadata(TestService.ECHO_TRAILING, trailers.get(TestService.ECHO_TRAILING));
            }

            @Override
            public void onEnd(GrpcStatus status) {
                OurCall.this.onEnd(status);
            }
        };

        @Override
        void send(UnknownFieldSet message) {
            opened.join().send(message);
        }

        @Override
        void halfClose() {
            opened.join().halfClose();
        }

        @Override
        void cancel() {
            opened.join().cancel();
        }
    }

    /** grpc-java's client. */
    static final class Javas implements TestCall.Client {
        private final ManagedChannel channel;

        Javas(InetSocketAddress server) {
            channel = NettyChannelBuilder.forAddress(server).usePlaintext().build();
        }

        @Override
        public TestCall open(String path, Map<String, String> metadata, long timeoutMillis) {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
            JavaCall call =
                    new JavaCall(channel.newCall(TestService.descriptor(path, TestService.type(path)), options));
            call.start(metadata);
            return call;
        }

        @Override
        public void close() {
            channel.shutdownNow();
            Await.until(channel::isTerminated, "the end of grpc-java's client");
        }
    }

    private static final class JavaCall extends TestCall {
        private static final Metadata.Key<String> INITIAL =
                Metadata.Key.of(TestService.ECHO_INITIAL, Metadata.ASCII_STRING_MARSHALLER);
        private static final Metadata.Key<byte[]> TRAILING =
                Metadata.Key.of(TestService.ECHO_TRAILING, Metadata.BINARY_BYTE_MARSHALLER);

        private final ClientCall<UnknownFieldSet, UnknownFieldSet> call;

        JavaCall(ClientCall<UnknownFieldSet, UnknownFieldSet> call) {
            this.call = call;
        }

        void start(Map<String, String> metadata) {
            Metadata sent = new Metadata();
            metadata.forEach((name, value) -> {
                if (name.equals(TRAILING.name())) {
                    sent.put(TRAILING, Base64.getDecoder().decode(value));
                } else {
                    sent.put(INITIAL, value);
                }
            });
            call.start(new Listener(), sent);
            call.request(Integer.MAX_VALUE);
        }

        private final class Listener extends ClientCall.Listener<UnknownFieldSet> {
            @Override
            public void onHeaders(Metadata headers) {
                onMetadata(INITIAL.name(), headers.get(INITIAL));
            }

            @Override
            public void onMessage(UnknownFieldSet message) {
                JavaCall.this.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                byte[] trailing = trailers.get(TRAILING);
                if (trailing != null) {
                    onMetadata(TRAILING.name(), Base64.getEncoder().encodeToString(trailing));
                }
                String description = status.getDescription();
                onEnd(new GrpcStatus(status.getCode().value(), description == null ? "" : description));
            }
        }

        @Override
        void send(UnknownFieldSet message) {
            call.sendMessage(message);
        }

        @Override
        void halfClose() {
            call.halfClose();
        }

        @Override
        void cancel() {
            call.cancel("by the test", null);
        }
    }
}
