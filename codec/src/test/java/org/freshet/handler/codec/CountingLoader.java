package org.freshet.handler.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the classes of some packages again, and counts every load by them of a byte, or of eight bytes together, from
 * an array or by copying. Classes of other packages are not counted. The count is per thread.
 */
public final class CountingLoader extends ClassLoader {
    private static final String COUNTER = CountingLoader.class.getName().replace('.', '/');
    private static final ThreadLocal<long[]> LOADS = ThreadLocal.withInitial(() -> new long[1]);

    private final String prefix;

    /** @param prefix of the names of the classes to load */
    public CountingLoader(String prefix) {
        super(CountingLoader.class.getClassLoader());
        this.prefix = prefix;
    }

    /** Returns the number of loads by the current thread since the last call. */
    public static long takeCount() {
        long count = LOADS.get()[0];
        LOADS.get()[0] = 0;
        return count;
    }

    // ---- called by the loaded classes ----

    public static void countLoad() {
        LOADS.get()[0]++;
    }

    public static byte[] copyOf(byte[] array, int length) {
        LOADS.get()[0] += Math.min(array.length, length);
        return Arrays.copyOf(array, length);
    }

    public static byte[] copyOfRange(byte[] array, int from, int to) {
        LOADS.get()[0] += to - from;
        return Arrays.copyOfRange(array, from, to);
    }

    public static void arraycopy(Object from, int fromIndex, Object to, int toIndex, int length) {
        LOADS.get()[0] += length;
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    // ---- loading ----

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(prefix) || name.equals(CountingLoader.class.getName())) {
            return super.loadClass(name, resolve);
        }
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
            new ClassReader(file).accept(new CountingClass(writer), 0);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static final class CountingClass extends ClassVisitor {
        CountingClass(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
            return new CountingMethod(super.visitMethod(access, name, type, signature, exceptions));
        }
    }

    private static final class CountingMethod extends MethodVisitor {
        CountingMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.BALOAD) {
                visitCountLoad();
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            boolean copies = owner.equals("java/lang/System") && name.equals("arraycopy")
                    || owner.equals("java/util/Arrays") && name.startsWith("copyOf") && type.startsWith("([B");
            if (owner.equals("java/lang/invoke/VarHandle") && name.equals("get")) {
                visitCountLoad();
            }
            super.visitMethodInsn(opcode, copies ? COUNTER : owner, name, type, isInterface);
        }

        private void visitCountLoad() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "countLoad", "()V", false);
        }
    }
}
