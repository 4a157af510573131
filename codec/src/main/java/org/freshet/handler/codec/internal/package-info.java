/**
 * Shared by several codecs and hidden from users: the module does not export this package. It imports no other codec.
 */
package org.freshet.handler.codec.internal;
