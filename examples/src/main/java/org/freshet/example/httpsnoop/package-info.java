/** What a request and a response consist of. */
package org.freshet.example.httpsnoop;
