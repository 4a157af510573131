package org.freshet.nativeimage;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the calls in a class's code that work in a native image only with metadata: those that look up or list members,
 * classes, resources and services.
 *
 * <p>Omits calls with constant arguments that native-image evaluates at build time: those for a VarHandle of a field or
 * a field updater.
 */
final class ReflectiveCalls extends ClassVisitor {
    private static final Map<String, Pattern> REFLECTIVE = Map.ofEntries(
            Map.entry(
                    "java/lang/Class",
                    methods("forName|newInstance|get(Declared|Public)?(Field|Method|Constructor|Class)(s|es)?"
                            + "|getRecordComponents|getPermittedSubclasses|getNestMembers|getResource(AsStream)?")),
            Map.entry("java/lang/ClassLoader", methods("loadClass|get(System)?Resource(s|AsStream)?|resources")),
            Map.entry("java/lang/Module", methods("getResourceAsStream")),
            Map.entry("java/lang/System", methods("load(Library)?")),
            Map.entry("java/lang/invoke/MethodHandles$Lookup", methods("find.*|unreflect.*|define.*")),
            Map.entry("java/lang/reflect/Array", methods("newInstance")),
            Map.entry("java/lang/reflect/Constructor", methods("newInstance")),
            Map.entry("java/lang/reflect/Field", methods("[gs]et(Boolean|Byte|Char|Short|Int|Long|Float|Double)?")),
            Map.entry("java/lang/reflect/Method", methods("invoke")),
            Map.entry("java/lang/reflect/Proxy", methods("newProxyInstance|getProxyClass")),
            Map.entry("java/io/ObjectInputStream", methods("<init>")),
            Map.entry("java/io/ObjectOutputStream", methods("<init>")),
            Map.entry("java/io/ObjectStreamClass", methods("lookup(Any)?")),
            Map.entry("java/util/ResourceBundle", methods("getBundle")),
            Map.entry("java/util/ServiceLoader", methods("load.*")),
            Map.entry("java/util/concurrent/atomic/AtomicIntegerFieldUpdater", methods("newUpdater")),
            Map.entry("java/util/concurrent/atomic/AtomicLongFieldUpdater", methods("newUpdater")),
            Map.entry("java/util/concurrent/atomic/AtomicReferenceFieldUpdater", methods("newUpdater")),
            Map.entry("javax/management/JMX", methods("new.*Proxy")),
            Map.entry("javax/management/MBeanServer", methods("registerMBean|createMBean|instantiate")),
            Map.entry("javax/management/StandardMBean", methods("<init>")));

    private static final Set<String> EVALUATED_IF_CONSTANT =
            Set.of("findVarHandle", "findStaticVarHandle", "newUpdater");

    private final Set<String> found = new TreeSet<>();
    private String className;

    private ReflectiveCalls() {
        super(Opcodes.ASM9);
    }

    private static Pattern methods(String regex) {
        return Pattern.compile(regex);
    }

    /**
     * Each in the form {@code package.Class.method: Type.call}, with the caller's name relative to {@code org.freshet}.
     */
    static Set<String> in(Iterable<Class<?>> types) throws IOException {
        ReflectiveCalls calls = new ReflectiveCalls();
        for (Class<?> type : types) {
            try (InputStream file =
                    type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
                new ClassReader(file).accept(calls, ClassReader.SKIP_FRAMES);
            }
        }
        return calls.found;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        className = name.replace('/', '.').replaceFirst("^org\\.freshet\\.", "");
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Calls(className + "." + name.replaceFirst("lambda\\$(\\w+)\\$\\d+", "$1"));
    }

    private final class Calls extends MethodVisitor {
        private final String caller;

        /** The constants loaded since the last instruction of another kind. */
        private int constants;

        Calls(String caller) {
            super(Opcodes.ASM9);
            this.caller = caller;
        }

        private void onCall(String owner, String name, boolean isConstant) {
            Pattern reflective = REFLECTIVE.get(owner);
            if (reflective == null || !reflective.matcher(name).matches()) {
                return;
            }
            if (!isConstant || !EVALUATED_IF_CONSTANT.contains(name)) {
                found.add(caller + ": " + owner.substring(owner.lastIndexOf('/') + 1) + "." + name);
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            onCall(owner, name, constants >= Type.getArgumentTypes(descriptor).length);
            constants = 0;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : List.of(arguments)) {
                if (argument instanceof Handle handle) {
                    onCall(handle.getOwner(), handle.getName(), false);
                }
            }
            constants = 0;
        }

        @Override
        public void visitLdcInsn(Object value) {
            constants++;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean isPrimitiveClass = opcode == Opcodes.GETSTATIC && name.equals("TYPE");
            constants = isPrimitiveClass ? constants + 1 : 0;
        }

        @Override
        public void visitInsn(int opcode) {
            constants = 0;
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            constants = 0;
        }

        @Override
        public void visitVarInsn(int opcode, int index) {
            constants = 0;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            constants = 0;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            constants = 0;
        }
    }
}
