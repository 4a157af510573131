package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.UnknownFieldSet;
import java.util.Locale;
import java.util.Map;
import org.freshet.testing.Await;

/**
 * Cases from gRPC's {@code interop-test-descriptions.md}: those without authentication, compression and load reports.
 */
enum InteropCase {
    EMPTY_UNARY {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = unary(client, "EmptyCall", TestMessages.of());
            assertEquals(TestMessages.of(), call.nextMessage());
            call.expectOk();
        }
    },
    LARGE_UNARY {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = unary(client, "UnaryCall", largeRequest());
            call.expectPayload(LARGE_ANSWER);
            call.expectOk();
        }
    },
    CLIENT_STREAMING {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = open(client, "StreamingInputCall");
            for (int size : REQUEST_SIZES) {
                call.send(TestMessages.of(1, TestMessages.payload(size)));
            }
            call.halfClose();
            assertEquals(74_922, TestMessages.number(call.nextMessage(), 1));
            call.expectOk();
        }
    },
    SERVER_STREAMING {
        @Override
        void run(TestCall.Client client) throws Exception {
            UnknownFieldSet.Builder request = UnknownFieldSet.newBuilder();
            for (int size : ANSWER_SIZES) {
                request.mergeFrom(asksFor(size));
            }
            TestCall call = unary(client, "StreamingOutputCall", request.build());
            for (int size : ANSWER_SIZES) {
                call.expectPayload(size);
            }
            call.expectOk();
        }
    },
    PING_PONG {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = open(client, "FullDuplexCall");
            for (int i = 0; i < ANSWER_SIZES.length; i++) {
                call.send(asksFor(ANSWER_SIZES[i]).toBuilder()
                        .mergeFrom(
                                TestMessages.of(TestMessages.REQUEST_PAYLOAD, TestMessages.payload(REQUEST_SIZES[i])))
                        .build());
                call.expectPayload(ANSWER_SIZES[i]);
            }
            call.halfClose();
            call.expectOk();
        }
    },
    EMPTY_STREAM {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = open(client, "FullDuplexCall");
            call.halfClose();
            call.expectOk();
        }
    },
    CUSTOM_METADATA {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall unary = client.open(path("UnaryCall"), METADATA, MILLIS);
            unary.send(largeRequest());
            unary.halfClose();
            unary.expectPayload(LARGE_ANSWER);
            expectMetadata(unary);

            TestCall duplex = client.open(path("FullDuplexCall"), METADATA, MILLIS);
            duplex.send(asksFor(LARGE_ANSWER));
            duplex.halfClose();
            duplex.expectPayload(LARGE_ANSWER);
            expectMetadata(duplex);
        }

        private void expectMetadata(TestCall call) throws InterruptedException {
            call.expectOk();
            METADATA.forEach((name, value) -> assertEquals(value, call.metadata(name), name));
        }
    },
    STATUS_CODE_AND_MESSAGE {
        @Override
        void run(TestCall.Client client) throws Exception {
            GrpcStatus expected = new GrpcStatus(GrpcStatus.UNKNOWN, "test status message");
            assertEquals(expected, unary(client, "UnaryCall", asksFor(expected)).end());
            assertEquals(
                    expected, unary(client, "FullDuplexCall", asksFor(expected)).end());
        }
    },
    SPECIAL_STATUS_MESSAGE {
        @Override
        void run(TestCall.Client client) throws Exception {
            GrpcStatus expected = new GrpcStatus(
                    GrpcStatus.UNKNOWN,
                    "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \ud83d\ude08\t\n");
            assertEquals(expected, unary(client, "UnaryCall", asksFor(expected)).end());
        }
    },
    UNIMPLEMENTED_METHOD {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = unary(client, "UnimplementedCall", TestMessages.of());
            assertEquals(GrpcStatus.UNIMPLEMENTED, call.end().code());
        }
    },
    UNIMPLEMENTED_SERVICE {
        @Override
        void run(TestCall.Client client) throws Exception {
            String path = "/grpc.testing.UnimplementedService/UnimplementedCall";
            TestCall call = client.open(path, Map.of(), MILLIS);
            call.send(TestMessages.of());
            call.halfClose();
            assertEquals(GrpcStatus.UNIMPLEMENTED, call.end().code());
        }
    },
    CANCEL_AFTER_BEGIN {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = open(client, "StreamingInputCall");
            call.cancel();
            assertEquals(GrpcStatus.CANCELLED, call.end().code());
        }
    },
    CANCEL_AFTER_FIRST_RESPONSE {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = open(client, "FullDuplexCall");
            call.send(asksFor(ANSWER_SIZES[0]));
            call.expectPayload(ANSWER_SIZES[0]);
            call.cancel();
            assertEquals(GrpcStatus.CANCELLED, call.end().code());
        }
    },
    TIMEOUT_ON_SLEEPING_SERVER {
        @Override
        void run(TestCall.Client client) throws Exception {
            TestCall call = client.open(path("FullDuplexCall"), Map.of(), 1);
            call.send(TestMessages.of(TestMessages.REQUEST_PAYLOAD, TestMessages.payload(REQUEST_SIZES[0])));
            assertEquals(GrpcStatus.DEADLINE_EXCEEDED, call.end().code());
        }
    };

    private static final int LARGE_ANSWER = 314_159;
    private static final int[] ANSWER_SIZES = {31_415, 9, 2_653, 58_979};
    private static final int[] REQUEST_SIZES = {27_182, 8, 1_828, 45_904};
    private static final long MILLIS = Await.LIMIT.toMillis();
    private static final Map<String, String> METADATA =
            Map.of(TestService.ECHO_INITIAL, "test_initial_metadata_value", TestService.ECHO_TRAILING, "q6ur");

    abstract void run(TestCall.Client client) throws Exception;

    /** The name that the programs accept. */
    String argument() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String path(String method) {
        return "/" + TestService.NAME + "/" + method;
    }

    private static TestCall open(TestCall.Client client, String method) throws Exception {
        return client.open(path(method), Map.of(), MILLIS);
    }

    private static TestCall unary(TestCall.Client client, String method, UnknownFieldSet request) throws Exception {
        TestCall call = open(client, method);
        call.send(request);
        call.halfClose();
        return call;
    }

    private static UnknownFieldSet largeRequest() {
        return TestMessages.of(
                TestMessages.RESPONSE_SIZE, LARGE_ANSWER, TestMessages.REQUEST_PAYLOAD, TestMessages.payload(271_828));
    }

    private static UnknownFieldSet asksFor(int size) {
        return TestMessages.of(TestMessages.RESPONSE_PARAMETERS, TestMessages.of(1, size));
    }

    private static UnknownFieldSet asksFor(GrpcStatus status) {
        return TestMessages.of(TestMessages.RESPONSE_STATUS, TestMessages.of(1, status.code(), 2, status.message()));
    }
}
