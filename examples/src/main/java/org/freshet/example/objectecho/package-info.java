/** Serialized Java objects, of the classes that are allowed and no others. Read {@code ObjectEcho} first. */
package org.freshet.example.objectecho;
