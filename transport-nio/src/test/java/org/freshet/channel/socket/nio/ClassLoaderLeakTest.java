package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.File;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A container that loads Freshet with an application can unload all of it when the application ends, even if the
 * container's own threads have called it.
 */
class ClassLoaderLeakTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MILLIS = 20;

    @Test
    void shouldLeaveNothingOnThreadsThatContinue() throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = runInALoaderOfItsOwn(collected);
        Reference<?> found = null;
        for (long end = System.nanoTime() + LIMIT_NANOS; found == null && System.nanoTime() < end; ) {
            System.gc();
            found = collected.remove(POLL_MILLIS);
        }
        assertNotNull(found, "the loader is still reachable: " + loader.get());
    }

    /** In a separate method, so that no local variable of the caller keeps the loader reachable. */
    private static WeakReference<ClassLoader> runInALoaderOfItsOwn(ReferenceQueue<ClassLoader> collected)
            throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> scenario = loader.loadClass(ApplicationScenario.class.getName());
            assertNotSame(ApplicationScenario.class, scenario);
            Constructor<?> constructor = scenario.getDeclaredConstructor();
            constructor.setAccessible(true);
            ((Runnable) constructor.newInstance()).run();
            return new WeakReference<>(loader, collected);
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(entries[i]).toURI().toURL();
        }
        return urls;
    }
}
