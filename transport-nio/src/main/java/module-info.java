/**
 * The selector-driven transport. It depends on the core, and knows neither codecs nor the blocking transport.
 *
 * <p>Create a {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory},
 * {@link org.freshet.channel.socket.nio.NioClientSocketChannelFactory} or
 * {@link org.freshet.channel.socket.nio.NioDatagramChannelFactory} and pass it to a bootstrap; everything else here is
 * machinery.
 */
@SuppressWarnings("module") // the qualified export names a module that is compiled after this one
module org.freshet.transport.nio {
    requires transitive org.freshet.core;

    exports org.freshet.channel.socket.nio;
    exports org.freshet.channel.socket.nio.pool to
            org.freshet.testkit; // runs the loops over a simulated kernel
}
