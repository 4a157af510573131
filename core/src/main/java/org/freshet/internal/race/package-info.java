/** {@code RaceCheck} finds handlers that two threads are in at once. The pipeline calls it where that check is on. */
package org.freshet.internal.race;
