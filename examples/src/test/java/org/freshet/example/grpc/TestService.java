package org.freshet.example.grpc;

import com.google.protobuf.UnknownFieldSet;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.HashMap;
import java.util.Map;
import org.freshet.handler.codec.http.HttpHeaders;

/**
 * The service of gRPC's interoperability tests, for the example's server and for grpc-java's. Each call is answered by
 * one {@link Logic}, on the thread that receives it.
 */
final class TestService {
    static final String NAME = "grpc.testing.TestService";
    static final String ECHO_INITIAL = "x-grpc-test-echo-initial";
    static final String ECHO_TRAILING = "x-grpc-test-echo-trailing-bin";

    private TestService() {}

    /** The sending side of a call, on either server. */
    interface Answers {
        void send(UnknownFieldSet message);

        /** Only the first call has an effect. */
        void end(int code, String message);
    }

    /** The behavior of a method. */
    abstract static class Logic {
        abstract void onMessage(UnknownFieldSet request, Answers answers);

        void onEnd(Answers answers) {
            answers.end(0, "");
        }

        static boolean endsWithStatus(UnknownFieldSet request, Answers answers) {
            for (UnknownFieldSet status : TestMessages.messages(request, TestMessages.RESPONSE_STATUS)) {
                answers.end(TestMessages.number(status, 1), TestMessages.text(status, 2));
                return true;
            }
            return false;
        }
    }

    private static final class Empty extends Logic {
        @Override
        void onMessage(UnknownFieldSet request, Answers answers) {
            answers.send(TestMessages.of());
        }
    }

    private static final class Unary extends Logic {
        @Override
        void onMessage(UnknownFieldSet request, Answers answers) {
            if (!endsWithStatus(request, answers)) {
                int size = TestMessages.number(request, TestMessages.RESPONSE_SIZE);
                answers.send(TestMessages.of(TestMessages.ANSWER_PAYLOAD, TestMessages.payload(size)));
            }
        }
    }

    private static final class Input extends Logic {
        private int size;

        @Override
        void onMessage(UnknownFieldSet request, Answers answers) {
            size += TestMessages.payloadSize(request, 1);
        }

        @Override
        void onEnd(Answers answers) {
            answers.send(TestMessages.of(1, size));
            super.onEnd(answers);
        }
    }

    private static final class Output extends Logic {
        @Override
        void onMessage(UnknownFieldSet request, Answers answers) {
            if (!endsWithStatus(request, answers)) {
                for (UnknownFieldSet each : TestMessages.messages(request, TestMessages.RESPONSE_PARAMETERS)) {
                    int size = TestMessages.number(each, 1);
                    answers.send(TestMessages.of(TestMessages.ANSWER_PAYLOAD, TestMessages.payload(size)));
                }
            }
        }
    }

    private static Logic logic(String method) {
        return switch (method) {
            case "EmptyCall" -> new Empty();
            case "UnaryCall" -> new Unary();
            case "StreamingInputCall" -> new Input();
            default -> new Output();
        };
    }

    private static final Map<String, MethodDescriptor.MethodType> METHODS = Map.of(
            "EmptyCall", MethodDescriptor.MethodType.UNARY,
            "UnaryCall", MethodDescriptor.MethodType.UNARY,
            "StreamingInputCall", MethodDescriptor.MethodType.CLIENT_STREAMING,
            "StreamingOutputCall", MethodDescriptor.MethodType.SERVER_STREAMING,
            "FullDuplexCall", MethodDescriptor.MethodType.BIDI_STREAMING);

    // ---- the example's server ----

    static Map<String, GrpcMethod> ours() {
        Map<String, GrpcMethod> methods = new HashMap<>();
        METHODS.keySet().forEach(name -> methods.put("/" + NAME + "/" + name, replies -> ourCall(name, replies)));
        return methods;
    }

    private static GrpcMethod.Call ourCall(String name, GrpcReplies replies) {
        echo(replies.metadata(), ECHO_INITIAL, replies.headers());
        echo(replies.metadata(), ECHO_TRAILING, replies.trailers());
        Logic logic = logic(name);
        Answers answers = new Answers() {
            @Override
            public void send(UnknownFieldSet message) {
                replies.send(message);
            }

            @Override
            public void end(int code, String message) {
                replies.end(new GrpcStatus(code, message));
            }
        };
        return new GrpcMethod.Call() {
            @Override
            public void onMessage(byte[] message) throws Exception {
                logic.onMessage(TestMessages.parse(message), answers);
            }

            @Override
            public void onEnd() {
                logic.onEnd(answers);
            }
        };
    }

    private static void echo(HttpHeaders from, String name, HttpHeaders to) {
        if (from.contains(name)) {
            to.set(name, from.get(name));
        }
    }

    // ---- grpc-java's server ----

    static MethodDescriptor<UnknownFieldSet, UnknownFieldSet> descriptor(
            String path, MethodDescriptor.MethodType type) {
        MethodDescriptor.Marshaller<UnknownFieldSet> marshaller =
                io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(UnknownFieldSet.getDefaultInstance());
        return MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder()
                .setType(type)
                .setFullMethodName(path.substring(1))
                .setRequestMarshaller(marshaller)
                .setResponseMarshaller(marshaller)
                .build();
    }

    /** The type of a method's calls; unary if there is no such method. */
    static MethodDescriptor.MethodType type(String path) {
        return METHODS.getOrDefault(path.substring(path.lastIndexOf('/') + 1), MethodDescriptor.MethodType.UNARY);
    }

    static ServerServiceDefinition javas() {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(NAME);
        METHODS.forEach((name, type) -> service.addMethod(
                descriptor("/" + NAME + "/" + name, type),
                (call, metadata) -> new JavaCall(logic(name), call, metadata)));
        return service.build();
    }

    private static final class JavaCall extends ServerCall.Listener<UnknownFieldSet> implements Answers {
        private final Logic logic;
        private final ServerCall<UnknownFieldSet, UnknownFieldSet> call;
        private final Metadata headers = new Metadata();
        private final Metadata trailers = new Metadata();
        private boolean hasBegun;
        private boolean hasEnded;

        JavaCall(Logic logic, ServerCall<UnknownFieldSet, UnknownFieldSet> call, Metadata metadata) {
            this.logic = logic;
            this.call = call;
            echo(metadata, Metadata.Key.of(ECHO_INITIAL, Metadata.ASCII_STRING_MARSHALLER), headers);
            echo(metadata, Metadata.Key.of(ECHO_TRAILING, Metadata.BINARY_BYTE_MARSHALLER), trailers);
            call.request(Integer.MAX_VALUE);
        }

        private static <T> void echo(Metadata from, Metadata.Key<T> key, Metadata to) {
            T value = from.get(key);
            if (value != null) {
                to.put(key, value);
            }
        }

        @Override
        public void onMessage(UnknownFieldSet request) {
            logic.onMessage(request, this);
        }

        @Override
        public void onHalfClose() {
            logic.onEnd(this);
        }

        @Override
        public void send(UnknownFieldSet message) {
            if (!hasBegun) {
                hasBegun = true;
                call.sendHeaders(headers);
            }
            call.sendMessage(message);
        }

        @Override
        public void end(int code, String message) {
            if (!hasEnded) {
                hasEnded = true;
                call.close(Status.fromCodeValue(code).withDescription(message), trailers);
            }
        }
    }
}
