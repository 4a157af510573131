/**
 * The selector-driven transport. It knows the core and nothing of codecs or of the blocking transport.
 *
 * <p>Users make {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory}, {@link
 * org.freshet.channel.socket.nio.NioClientSocketChannelFactory} or {@link
 * org.freshet.channel.socket.nio.NioDatagramChannelFactory} and give it to a bootstrap; everything else here is machinery.
 */
@SuppressWarnings("module") // the qualified export names a module that is compiled after this one
module org.freshet.transport.nio {
    requires transitive org.freshet.core;

    exports org.freshet.channel.socket.nio;
    exports org.freshet.channel.socket.nio.pool to
            org.freshet.testkit; // runs the loops over a simulated kernel
}
