/** What handlers share: who suspends reads, work that runs one piece at a time, closes that are held back, time limits. */
package org.freshet.internal.handler;
