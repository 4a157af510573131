package org.freshet.example;

import java.lang.reflect.InvocationTargetException;

/** Calls each of the named examples with an argument that none accepts, and prints what it says, one line for each. */
public final class BadArguments {
    /** Ends an example's main method as the exit of its JVM would. */
    private static final class Refused extends Error {
        private static final long serialVersionUID = 1L;

        Refused(String line) {
            super(line);
        }
    }

    private BadArguments() {}

    /** @param mainClasses below {@code org.freshet.example} */
    public static void main(String[] mainClasses) throws Exception {
        Arguments.onRefusal = line -> {
            throw new Refused(line);
        };
        for (String mainClass : mainClasses) {
            System.out.println(mainClass + ": " + answerOf(mainClass));
        }
        System.exit(0); // some examples have started threads by then
    }

    private static String answerOf(String mainClass) throws Exception {
        try {
            Class.forName("org.freshet.example." + mainClass)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {"?"});
            return "not refused";
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof Refused
                    ? e.getCause().getMessage()
                    : e.getCause().toString();
        }
    }
}
