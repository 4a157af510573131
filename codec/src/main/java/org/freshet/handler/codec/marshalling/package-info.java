/**
 * Objects by <a href="https://jbossmarshalling.jboss.org/">JBoss Marshalling</a>, which must be on the class or module path
 * with the implementation to use ({@code river} or {@code serial}). Start with {@link
 * org.freshet.handler.codec.marshalling.MarshallingEncoder} and {@link
 * org.freshet.handler.codec.marshalling.MarshallingDecoder}; the {@code Compatible} ones talk to peers that put nothing around
 * the marshalled bytes.
 *
 * <p>The peer chooses the classes that a decoder instantiates. Give the {@code MarshallingConfiguration} of an {@link
 * org.freshet.handler.codec.marshalling.UnmarshallerProvider} an unmarshalling filter that allows those of the protocol. With
 * the providers here, {@link org.freshet.handler.codec.serialization.ClassFilters#defaults()} decides about everything that
 * such a filter leaves undecided, and the arrays of an object together are never longer than its bytes can fill. The library
 * allocates memory for some announced lengths before it asks any filter, which ends in an exception.
 *
 * <p><b>What hashing costs is not limited.</b> Sets and maps hash or compare their keys as they are read, and some kilobytes can
 * describe sets within sets that take the I/O thread hours. {@link org.freshet.handler.codec.serialization.ObjectDecoder} refuses
 * them; here that cannot be done, because the library reports to filters, resolvers and externalizers neither which objects are keys
 * nor references to objects that were read before. For peers that are not trusted, give a filter that ends in {@code !*} and allows
 * no sets, maps or other collections that hash or sort, such as {@code "com.example.**;java.util.ArrayList;java.lang.*;[Ljava.lang.*;!*"}; or use
 * {@code ObjectDecoder}.
 */
package org.freshet.handler.codec.marshalling;
