/** Classes shared by handlers: suspended reads, coalesced tasks, delayed closes, deadlines and held writes. */
package org.freshet.internal.handler;
