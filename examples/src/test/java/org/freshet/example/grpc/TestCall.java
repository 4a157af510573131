package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.protobuf.UnknownFieldSet;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;

/**
 * A call by any of the clients: what is sent, and the outcome. The test's thread sends and takes, the client's adds.
 */
abstract class TestCall {
    /** Makes calls over one connection. */
    interface Client extends AutoCloseable {
        /** @param metadata the value of a name that ends with {@code -bin} is Base64 */
        TestCall open(String path, Map<String, String> metadata, long timeoutMillis) throws Exception;

        @Override
        void close();
    }

    /** Messages, followed by the status. */
    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    /** The headers and trailers that tests ask for. */
    private final Map<String, String> metadata = new ConcurrentHashMap<>();

    abstract void send(UnknownFieldSet message);

    abstract void halfClose();

    abstract void cancel();

    final void onMessage(UnknownFieldSet message) {
        seen.add(message);
    }

    final void onMetadata(String name, String value) {
        if (value != null) {
            metadata.put(name, value);
        }
    }

    final void onEnd(GrpcStatus status) {
        seen.add(status);
    }

    private Object next() throws InterruptedException {
        return seen.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    UnknownFieldSet nextMessage() throws InterruptedException {
        return assertInstanceOf(UnknownFieldSet.class, next());
    }

    /** Takes a message and checks the size of its payload. */
    void expectPayload(int size) throws InterruptedException {
        assertEquals(size, TestMessages.payloadSize(nextMessage(), TestMessages.ANSWER_PAYLOAD));
    }

    GrpcStatus end() throws InterruptedException {
        return assertInstanceOf(GrpcStatus.class, next());
    }

    void expectOk() throws InterruptedException {
        GrpcStatus status = end();
        assertEquals(0, status.code(), status::toString);
    }

    String metadata(String name) {
        return metadata.get(name);
    }
}
