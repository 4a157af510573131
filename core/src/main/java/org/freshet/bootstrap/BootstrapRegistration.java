package org.freshet.bootstrap;

import javax.management.ObjectName;

/** A bootstrap's registration with JMX. Any thread may use it. */
public interface BootstrapRegistration extends AutoCloseable {
    /** Returns the JMX name of the bootstrap. */
    ObjectName objectName();

    /** Unregisters the bootstrap and stops counting; a second call has no effect. */
    @Override
    void close();
}
