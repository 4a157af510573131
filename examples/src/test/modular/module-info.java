module app {
    requires org.freshet.codec;
    requires org.freshet.transport.nio;
    requires org.freshet.transport.oio;

    exports app; // the test calls main
}
