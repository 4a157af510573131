/** Plain Java object streams, for peers that know nothing else. Read {@code ObjectStreamsServer} first. */
package org.freshet.example.objectstreams;
