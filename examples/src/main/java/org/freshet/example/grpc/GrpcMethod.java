package org.freshet.example.grpc;

import org.freshet.handler.codec.http2.Http2Error;

/** A method of a service. Shared by all calls. */
public interface GrpcMethod {
    /** One call of the method. Its methods are called on the I/O thread of the call's stream, one after the other. */
    interface Call {
        /** @throws Exception to end the call: with the status of a {@link GrpcException}, otherwise with INTERNAL */
        void onMessage(byte[] message) throws Exception;

        /** Called when the client sends no more messages. */
        void onEnd() throws Exception;

        /** Called when the client has cancelled the call, or the connection has ended. */
        default void onCancelled(Http2Error error) {}
    }

    /** Called for each new call. Send the answer with {@code replies}, now or later, from any thread. */
    Call begin(GrpcReplies replies);
}
