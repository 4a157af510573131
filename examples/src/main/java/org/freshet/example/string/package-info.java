/** Which handlers can be shared between connections. Read {@code MyStringServerFactory} first. */
package org.freshet.example.string;
