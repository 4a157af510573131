package org.freshet.bootstrap;

import javax.management.ObjectName;

/** A bootstrap's presence in JMX. Any thread may use it. */
public interface BootstrapRegistration extends AutoCloseable {
    /** The name under which the bootstrap is found. */
    ObjectName objectName();

    /** Takes the bootstrap out of JMX and stops counting; does nothing the second time. */
    @Override
    void close();
}
