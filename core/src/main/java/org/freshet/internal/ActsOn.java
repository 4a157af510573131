package org.freshet.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the events of these kinds that a class's own {@code handleUpstream} acts on. It does nothing with the others but pass them on,
 * to the next handler or to the method it overrides. Not inherited: a subclass with another {@code handleUpstream} may act on all.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ActsOn {
    EventKind[] value();
}
