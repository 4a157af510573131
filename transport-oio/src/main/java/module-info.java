/** The blocking transport: one thread per connection. */
module org.freshet.transport.oio {
    requires transitive org.freshet.core;

    exports org.freshet.channel.socket.oio;
}
