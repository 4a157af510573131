/** Serialized Java objects of allowed classes only. Read {@code ObjectEcho} first. */
package org.freshet.example.objectecho;
