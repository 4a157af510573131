/**
 * Tests pipelines over a simulated network. Start with {@link org.freshet.testkit.SimulatedNetwork}.
 *
 * <p>{@code org.freshet.testkit.simulation} is the simulated kernel underneath; it is not exported.
 */
module org.freshet.testkit {
    requires transitive org.freshet.core;
    requires transitive org.freshet.codec;
    requires org.freshet.transport.nio;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires org.opentest4j;

    exports org.freshet.testkit;
    exports org.freshet.testkit.capture;
}
