package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.io.InvalidClassException;
import org.jboss.marshalling.ClassResolver;
import org.jboss.marshalling.ContextClassResolver;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.Unmarshaller;
import org.jboss.marshalling.UnmarshallingObjectInputFilter.FilterInfo;

/**
 * Checks the interfaces of a proxy before its class is created. Each list of interfaces, in each order, is a class of
 * its own that the JVM may keep forever, and the library checks only afterwards. As thread-safe as the given resolver.
 */
final class GuardedClassResolver implements ClassResolver {
    private final ClassResolver source;
    private final ClassGuard guard;

    /** @param source null for the library's default resolver */
    GuardedClassResolver(ClassResolver source, ClassGuard guard) {
        this.source = source != null ? source : new ContextClassResolver();
        this.guard = guard;
    }

    @Override
    public Class<?> resolveProxyClass(Unmarshaller unmarshaller, String[] interfaces)
            throws IOException, ClassNotFoundException {
        for (String name : interfaces) {
            InterfaceInfo info = new InterfaceInfo(source.resolveClass(unmarshaller, name, 0));
            if (guard.checkInput(info) == ClassGuard.Status.REJECTED) {
                throw new InvalidClassException(name, "refused as an interface of a proxy");
            }
        }
        return source.resolveProxyClass(unmarshaller, interfaces);
    }

    @Override
    public Class<?> resolveClass(Unmarshaller unmarshaller, String name, long serialVersionUid)
            throws IOException, ClassNotFoundException {
        return source.resolveClass(unmarshaller, name, serialVersionUid);
    }

    @Override
    public void annotateClass(Marshaller marshaller, Class<?> type) throws IOException {
        source.annotateClass(marshaller, type);
    }

    @Override
    public void annotateProxyClass(Marshaller marshaller, Class<?> type) throws IOException {
        source.annotateProxyClass(marshaller, type);
    }

    @Override
    public String getClassName(Class<?> type) throws IOException {
        return source.getClassName(type);
    }

    @Override
    public String[] getProxyInterfaces(Class<?> proxyType) throws IOException {
        return source.getProxyInterfaces(proxyType);
    }

    private record InterfaceInfo(Class<?> getUnmarshalledClass) implements FilterInfo {
        @Override
        public long getArrayLength() {
            return -1;
        }

        @Override
        public long getDepth() {
            return 1;
        }

        @Override
        public long getReferences() {
            return 1;
        }

        @Override
        public long getStreamBytes() {
            return 0;
        }
    }
}
