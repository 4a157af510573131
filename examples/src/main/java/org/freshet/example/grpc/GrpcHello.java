package org.freshet.example.grpc;

import com.google.protobuf.StringValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * Two gRPC methods over one HTTP/2 connection: one message with its answer, and a chat in which both sides send
 * whenever they like.
 */
public final class GrpcHello {
    private static final int DEFAULT_MESSAGES = 1000;
    private static final long CALL_MILLIS = 30_000;

    private GrpcHello() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException, TimeoutException {
        Arguments arguments = new Arguments("grpc-hello [MESSAGES]", 0, 1, args);
        int messages = arguments.number(0, "MESSAGES", 1, 1_000_000, DEFAULT_MESSAGES);
        Timer timer = new HashedWheelTimer();
        ServerBootstrap servers = newServer(timer);
        ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory(1));
        clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        boolean ok;
        try {
            Channel server = servers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel channel = clients.connect(server.getLocalAddress()).await().getChannel();
            Http2ClientConnection connection = Http2ClientConnection.of(channel);
            ok = greet(connection, timer) & chat(connection, timer, messages);
        } finally {
            clients.releaseExternalResources();
            servers.releaseExternalResources();
            timer.stop();
        }
        System.exit(ok ? 0 : 1);
    }

    /** Without TLS; gRPC clients call that "plaintext". */
    static ServerBootstrap newServer(Timer timer) {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new LingeringCloseHandler(timer), // a close with unread frames would reset the connection
                new Http2ServerHandler(() -> Channels.pipeline(new GrpcServerHandler(HelloService.methods(), timer)))));
        return bootstrap;
    }

    private static boolean greet(Http2ClientConnection connection, Timer timer)
            throws InterruptedException, ExecutionException, TimeoutException {
        Conversation greeting = new Conversation(1);
        GrpcClientCall.start(connection, HelloService.GREET, timer, CALL_MILLIS, greeting);
        GrpcStatus status = greeting.ended.get(CALL_MILLIS, TimeUnit.MILLISECONDS);
        System.out.println("greet: " + greeting.last + " " + status);
        return status.isOk() && "Hello, number 1!".equals(greeting.last);
    }

    private static boolean chat(Http2ClientConnection connection, Timer timer, int messages)
            throws InterruptedException, ExecutionException, TimeoutException {
        long startNanos = System.nanoTime();
        Conversation chat = new Conversation(messages);
        GrpcClientCall.start(connection, HelloService.CHAT, timer, CALL_MILLIS, chat);
        GrpcStatus status = chat.ended.get(CALL_MILLIS, TimeUnit.MILLISECONDS);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        System.out.println("chat: " + chat.answered + " of " + messages + " messages answered, one after the other, in "
                + millis + " ms: " + status);
        return status.isOk() && chat.answered == messages;
    }

    /**
     * Sends a message, and the next one when it has been answered, until there are enough. Belongs to the I/O thread
     * until it has ended.
     */
    private static final class Conversation implements GrpcClientCall.Listener {
        private final CompletableFuture<GrpcStatus> ended = new CompletableFuture<>();
        private final int messages;
        private int sent;
        private int answered;
        private String last;

        Conversation(int messages) {
            this.messages = messages;
        }

        @Override
        public void onOpen(GrpcClientCall call) {
            sendNext(call);
        }

        private void sendNext(GrpcClientCall call) {
            call.send(StringValue.of("number " + ++sent));
            if (sent == messages) {
                call.halfClose();
            }
        }

        @Override
        public void onMessage(GrpcClientCall call, byte[] message) throws Exception {
            last = StringValue.parseFrom(message).getValue();
            answered++;
            if (sent < messages) {
                sendNext(call);
            }
        }

        @Override
        public void onEnd(GrpcStatus status) {
            ended.complete(status);
        }
    }
}
