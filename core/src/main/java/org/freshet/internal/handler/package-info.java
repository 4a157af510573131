/** What handlers share: who suspends reads, work that runs one piece at a time, closes that are held back, time limits, and held writes. */
package org.freshet.internal.handler;
