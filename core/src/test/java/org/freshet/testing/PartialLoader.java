package org.freshet.testing;

import java.io.IOException;
import java.io.InputStream;

/** Loads a class again without one of the types it refers to, as if an optional dependency were missing. */
public final class PartialLoader extends ClassLoader {
    private final String again;
    private final String absent;

    public PartialLoader(Class<?> again, Class<?> absent) {
        super(again.getClassLoader());
        this.again = again.getName();
        this.absent = absent.getName();
    }

    /** Creates an instance of a public class that is loaded again for it: nothing that is kept per class is known of it yet. */
    public static Object newInstanceOfAnother(Class<?> type) throws ReflectiveOperationException {
        return new PartialLoader(type, PartialLoader.class).newInstance();
    }

    /** Creates an instance of the reloaded class. */
    public Object newInstance() throws ReflectiveOperationException {
        return loadClass(again).getConstructor().newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.equals(absent)) {
            throw new ClassNotFoundException(name);
        }
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
            return loaded;
        }
        return name.equals(again) ? define(name) : super.loadClass(name, resolve);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] bytes = file.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
