package org.freshet.example.grpc;

import org.freshet.handler.codec.http2.Http2Error;

/** A method of a service. Shared by all calls. */
public interface GrpcMethod {
    /** One call of it. On the I/O thread of the call's stream, one after the other. */
    interface Call {
        /** @throws Exception that ends the call: a {@link GrpcException} with its status, any other with INTERNAL */
        void onMessage(byte[] message) throws Exception;

        /** The client sends no more messages. */
        void onEnd() throws Exception;

        /** The client wants no answer any more, or the connection has ended. */
        default void onCancelled(Http2Error error) {}
    }

    /** A client calls; what it's answered goes to the replies, now or later, from any thread. */
    Call begin(GrpcReplies replies);
}
