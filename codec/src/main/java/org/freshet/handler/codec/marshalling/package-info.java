/**
 * Objects by <a href="https://jbossmarshalling.jboss.org/">JBoss Marshalling</a>, which must be on the class or module path
 * with the implementation to use ({@code river} or {@code serial}). Start with {@link
 * org.freshet.handler.codec.marshalling.MarshallingEncoder} and {@link
 * org.freshet.handler.codec.marshalling.MarshallingDecoder}; the {@code Compatible} ones talk to peers that put nothing around
 * the marshalled bytes.
 *
 * <p>The peer chooses the classes that a decoder instantiates. Give the {@code MarshallingConfiguration} of an {@link
 * org.freshet.handler.codec.marshalling.UnmarshallerProvider} an unmarshalling filter that allows those of the protocol. With
 * the providers here, {@link org.freshet.handler.codec.serialization.ClassFilters#standard()} decides about everything that
 * such a filter leaves undecided, and the arrays of an object together are never longer than its bytes can fill. The library
 * allocates memory for some announced lengths before it asks any filter, which ends in an exception, and hashes the elements
 * of collections without a limit. Where peers are hostile, {@link org.freshet.handler.codec.serialization.ObjectDecoder} is
 * the safer choice.
 */
package org.freshet.handler.codec.marshalling;
