/**
 * gRPC on HTTP/2's streams: the framing is here, in a few small classes, and the messages are protobuf's. A server and a client, which
 * talk to every other implementation of gRPC too.
 */
package org.freshet.example.grpc;
