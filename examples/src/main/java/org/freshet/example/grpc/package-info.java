/**
 * gRPC on HTTP/2 streams. The framing is done here, in a few small classes; the messages are protobuf's. The server and
 * the client also work with any other gRPC implementation.
 */
package org.freshet.example.grpc;
