package org.freshet.example.grpc;

import java.io.Serial;

/** A call cannot continue; contains the status with which it ends. */
public final class GrpcException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient GrpcStatus status;

    public GrpcException(int code, String message) {
        super(message);
        status = new GrpcStatus(code, message);
    }

    public GrpcStatus status() {
        return status;
    }
}
