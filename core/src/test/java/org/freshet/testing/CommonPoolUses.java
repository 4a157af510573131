package org.freshet.testing;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds calls that run code on the JDK's common pool, or on CompletableFuture's delay thread, in the compiled classes
 * of the module in the working directory. An application can block both.
 */
public final class CommonPoolUses {
    private static final String FUTURE = "java/util/concurrent/CompletableFuture";
    private static final Set<String> DELAYS =
            Set.of("delayedExecutor", "orTimeout", "completeOnTimeout", "defaultExecutor");

    private CommonPoolUses() {}

    /** The classes of the module's main code that make such a call, each with the call. */
    public static Set<String> ofModule() throws IOException {
        return below(Path.of("target", "classes"));
    }

    static Set<String> below(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            Set<String> found = new TreeSet<>();
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                find(file, found);
            }
            return found;
        }
    }

    /** Adds the references of a class file. */
    private static void find(Path file, Set<String> found) throws IOException {
        Constants constants = Constants.read(file);
        for (int i = 1; i < constants.tags.length; i++) {
            if (constants.tags[i] == Constants.METHOD || constants.tags[i] == Constants.INTERFACE_METHOD) {
                String owner = constants.text(constants.first[constants.first[i]]);
                String name = constants.text(constants.first[constants.second[i]]);
                String descriptor = constants.text(constants.second[constants.second[i]]);
                if (isCommonPool(owner, name, descriptor)) {
                    found.add(file.getFileName() + " calls " + owner + "." + name + descriptor);
                }
            }
        }
    }

    private static boolean isCommonPool(String owner, String name, String descriptor) {
        if (owner.equals(FUTURE) || owner.equals("java/util/concurrent/CompletionStage")) {
            return DELAYS.contains(name)
                    || name.endsWith("Async") && !descriptor.contains("Ljava/util/concurrent/Executor;");
        }
        return name.equals("commonPool")
                || name.equals("parallelStream")
                || name.equals("newWorkStealingPool")
                || name.equals("parallel") && owner.startsWith("java/util/stream/");
    }

    /** A constant of a class file: a tag with up to two references or a text. */
    private static final class Constants {
        private static final int TEXT = 1;
        private static final int METHOD = 10;
        private static final int INTERFACE_METHOD = 11;

        private final int[] tags;
        private final int[] first;
        private final int[] second;
        private final String[] texts;

        private Constants(int count) {
            tags = new int[count];
            first = new int[count];
            second = new int[count];
            texts = new String[count];
        }

        private String text(int index) {
            return texts[index];
        }

        static Constants read(Path file) throws IOException {
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
                in.skipNBytes(8);
                Constants constants = new Constants(in.readUnsignedShort());
                for (int i = 1; i < constants.tags.length; i++) {
                    i += constants.readOne(i, in);
                }
                return constants;
            }
        }

        /** Returns how many entries it takes beyond its own. */
        private int readOne(int index, DataInputStream in) throws IOException {
            int tag = in.readUnsignedByte();
            tags[index] = tag;
            switch (tag) {
                case TEXT -> texts[index] = in.readUTF();
                case 3, 4 -> in.readInt();
                case 5, 6 -> in.readLong();
                case 7, 8, 16, 19, 20 -> first[index] = in.readUnsignedShort();
                case 15 -> {
                    in.readUnsignedByte();
                    first[index] = in.readUnsignedShort();
                }
                case 9, METHOD, INTERFACE_METHOD, 12, 17, 18 -> {
                    first[index] = in.readUnsignedShort();
                    second[index] = in.readUnsignedShort();
                }
                default -> throw new IOException("constant " + index + " has the tag " + tag);
            }
            return tag == 5 || tag == 6 ? 1 : 0;
        }
    }
}
