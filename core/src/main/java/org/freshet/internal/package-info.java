/**
 * Code shared by Freshet's modules; not for users.
 *
 * <p>This package contains what {@code org.freshet.channel} itself needs; it imports nothing from Freshet. The subpackages are named after
 * their purpose.
 */
package org.freshet.internal;
