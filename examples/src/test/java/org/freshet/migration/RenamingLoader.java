package org.freshet.migration;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Loads the compiled classes of some packages as if {@code org.jboss.netty} had been renamed in their sources. */
final class RenamingLoader extends ClassLoader {
    private static final Remapper RENAMING = new Remapper() {
        @Override
        public String map(String internalName) {
            return internalName.replaceFirst("^org/jboss/netty/", "org/freshet/");
        }
    };

    private final String[] prefixes;

    /** Everything but classes whose names begin with one of {@code prefixes} comes from {@code parent} unchanged. */
    RenamingLoader(ClassLoader parent, String... prefixes) {
        super(parent);
        this.prefixes = prefixes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return renamed(name);
            }
        }
        return super.loadClass(name, resolve);
    }

    private Class<?> renamed(String name) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(file).accept(new ClassRemapper(writer, RENAMING), 0);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
