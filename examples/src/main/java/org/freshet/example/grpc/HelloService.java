package org.freshet.example.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import java.util.Locale;
import java.util.Map;

/** Greets the caller once, or answers each message of a chat. Messages are protobuf's own {@code StringValue}. */
final class HelloService {
    static final String GREET = "/freshet.example.Hello/Greet";
    static final String CHAT = "/freshet.example.Hello/Chat";

    private HelloService() {}

    static Map<String, GrpcMethod> methods() {
        return Map.of(GREET, Greeting::new, CHAT, Chat::new);
    }

    private static String text(byte[] message) throws GrpcException {
        try {
            return StringValue.parseFrom(message).getValue();
        } catch (InvalidProtocolBufferException e) {
            throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "not a StringValue: " + e.getMessage());
        }
    }

    /** One message, one answer. */
    private static final class Greeting implements GrpcMethod.Call {
        private final GrpcReplies replies;
        private String name;

        Greeting(GrpcReplies replies) {
            this.replies = replies;
        }

        @Override
        public void onMessage(byte[] message) throws GrpcException {
            if (name != null) {
                throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "send exactly one name");
            }
            name = text(message);
        }

        @Override
        public void onEnd() throws GrpcException {
            if (name == null) {
                throw new GrpcException(GrpcStatus.INVALID_ARGUMENT, "send a name");
            }
            replies.send(StringValue.of("Hello, " + name + "!"));
            replies.end(GrpcStatus.OK);
        }
    }

    /** Answers each message as soon as it arrives. */
    private record Chat(GrpcReplies replies) implements GrpcMethod.Call {
        @Override
        public void onMessage(byte[] message) throws GrpcException {
            replies.send(StringValue.of(text(message).toUpperCase(Locale.ROOT)));
        }

        @Override
        public void onEnd() {
            replies.end(GrpcStatus.OK);
        }
    }
}
