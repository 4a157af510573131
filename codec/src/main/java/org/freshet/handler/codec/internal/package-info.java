/** What several codecs share and users do not see: the module does not export this package, and it imports no other codec. */
package org.freshet.handler.codec.internal;
