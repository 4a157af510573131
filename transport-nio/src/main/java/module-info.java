module org.freshet.transport.nio {
    requires transitive org.freshet.core;
}
