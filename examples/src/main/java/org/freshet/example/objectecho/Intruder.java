package org.freshet.example.objectecho;

import java.io.ObjectInputStream;
import java.io.Serializable;

/** A class that the server does not expect, and whose code would run when it is read. */
final class Intruder implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
        System.err.println("the intruder is in");
        System.exit(1);
    }
}
