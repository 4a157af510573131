module org.freshet.transport.oio {
    requires transitive org.freshet.core;
}
