/** An HTTP service you could deploy. Start with {@link org.freshet.example.httpservice.HttpService}. */
package org.freshet.example.httpservice;
