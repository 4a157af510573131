package org.freshet.handler.codec.http2;

import java.util.List;

/** A client of {@link Http2ClientMatrixTest}, written elsewhere. */
interface MatrixClient {
    /**
     * Runs the behaviour on one connection to a port of the loopback interface.
     *
     * @return {@link MatrixService#report} of each answer, in any order
     */
    List<String> run(MatrixBehaviour behaviour, int port) throws Exception;
}
