/**
 * Objects by <a href="https://jbossmarshalling.jboss.org/">JBoss Marshalling</a>, which must be on the class or module path
 * with the implementation to use ({@code river} or {@code serial}). Start with {@link
 * org.freshet.handler.codec.marshalling.MarshallingEncoder} and {@link
 * org.freshet.handler.codec.marshalling.MarshallingDecoder}; the {@code Compatible} ones talk to peers that put nothing around
 * the marshalled bytes.
 *
 * <p>Whoever can send bytes to a decoder chooses the classes it instantiates. Give the {@code MarshallingConfiguration} of an
 * {@link org.freshet.handler.codec.marshalling.UnmarshallerProvider} an unmarshalling filter that allows those of the protocol.
 * With the providers here, {@link org.freshet.handler.codec.serialization.ClassFilters#standard()} decides about everything
 * that such a filter leaves undecided, and arrays are never longer than the object's bytes can fill. The library takes memory
 * for some announced lengths before it asks any filter; such bytes end in an exception, but where peers are hostile, {@link
 * org.freshet.handler.codec.serialization.ObjectDecoder} is the safer choice.
 */
package org.freshet.handler.codec.marshalling;
