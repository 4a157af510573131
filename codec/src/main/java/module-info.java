module org.freshet.codec {
    requires transitive org.freshet.core;
}
