/**
 * Objects in the formats of <a href="https://jbossmarshalling.jboss.org/">JBoss Marshalling</a>. The library must be on
 * the class or module path, with the implementation to use ({@code river} or {@code serial}). Start with
 * {@link org.freshet.handler.codec.marshalling.MarshallingEncoder} and
 * {@link org.freshet.handler.codec.marshalling.MarshallingDecoder}. The {@code Compatible} handlers are for peers that
 * send marshalled bytes without a length field.
 *
 * <p>The peer chooses the classes that a decoder instantiates. Give the {@code MarshallingConfiguration} of an
 * {@link org.freshet.handler.codec.marshalling.UnmarshallerProvider} an unmarshalling filter that allows the classes of
 * your protocol. With the providers here, {@link org.freshet.handler.codec.serialization.ClassFilters#defaults()}
 * decides everything that your filter leaves undecided, and the total array length of an object is limited to what its
 * bytes can fill. For some announced lengths, the library allocates memory before it asks any filter; that ends in an
 * exception.
 *
 * <p><b>The cost of hashing is not limited.</b> Sets and maps hash or compare their keys as they are read, and a few
 * kilobytes can describe nested sets that keep the I/O thread busy for hours.
 * {@link org.freshet.handler.codec.serialization.ObjectDecoder} refuses these. Here that's impossible: the library does
 * not tell filters, resolvers and externalizers which objects are keys, nor does it report references to objects read
 * earlier. For untrusted peers, give a filter that ends in {@code !*} and allows no sets, maps or other collections
 * that hash or sort, such as {@code "com.example.**;java.util.ArrayList;java.lang.*;[Ljava.lang.*;!*"}. Or use
 * {@code ObjectDecoder}.
 */
package org.freshet.handler.codec.marshalling;
