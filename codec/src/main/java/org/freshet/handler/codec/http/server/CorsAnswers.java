package org.freshet.handler.codec.http.server;

import java.util.List;
import java.util.Locale;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.AnswerQueue;
import org.freshet.handler.codec.http.server.internal.Answerer;
import org.freshet.handler.codec.http.server.internal.StatusAnswer;

/** Answers preflights and marks other responses for a {@link CorsHandler}. I/O thread only. */
final class CorsAnswers implements Answerer {
    /**
     * The decision for a request.
     *
     * @param origin null if the request had none
     * @param rule null if the origin is not allowed
     */
    record Decision(String origin, CorsRules.Rule rule) {}

    private final CorsRules rules;
    private final boolean refuses;

    final AnswerQueue queue = new AnswerQueue(this);

    CorsAnswers(CorsRules rules, boolean refuses) {
        this.rules = rules;
        this.refuses = refuses;
    }

    private static boolean isPreflight(HttpRequest request) {
        return HttpMethod.OPTIONS.equals(request.getMethod())
                && request.headers().contains(Names.ORIGIN)
                && request.headers().contains(Names.ACCESS_CONTROL_REQUEST_METHOD);
    }

    private Decision decide(HttpRequest request) {
        List<String> origins = request.headers().getAll(Names.ORIGIN);
        if (origins.isEmpty()) {
            return new Decision(null, null);
        }
        String origin = origins.get(0);
        return new Decision(origin, origins.size() == 1 ? rules.find(origin) : null); // browsers send only one
    }

    @Override
    public boolean takes(HttpRequest request) {
        if (isPreflight(request)) {
            return true;
        }
        Decision decision = decide(request);
        return refuses
                && decision.origin != null
                && decision.rule == null
                && !RequestOrigin.isSame(decision.origin, request, queue.channel());
    }

    @Override
    public void onPassedOn(HttpRequest request, Exchange exchange) {
        exchange.attach(this, decide(request));
    }

    @Override
    public void decorate(HttpResponse response, Exchange exchange) {
        if (response.getStatus().getCode() < 200) {
            return;
        }
        Vary.add(response.headers(), Names.ORIGIN);
        if (exchange.attachment(this) instanceof Decision decision && decision.rule != null) {
            allowOrigin(response.headers(), decision);
            setUnlessEmpty(response.headers(), Names.ACCESS_CONTROL_EXPOSE_HEADERS, decision.rule.exposedHeaders());
        }
    }

    private static void allowOrigin(HttpHeaders headers, Decision decision) {
        headers.set(Names.ACCESS_CONTROL_ALLOW_ORIGIN, decision.rule.anyOrigin ? "*" : decision.origin);
        if (decision.rule.allowsCredentials()) {
            headers.set(Names.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
    }

    private static void setUnlessEmpty(HttpHeaders headers, String name, String value) {
        if (!value.isEmpty()) {
            headers.set(name, value);
        }
    }

    // ---- responses sent from here ----

    @Override
    public void answer(HttpRequest request) {
        Decision decision = decide(request);
        boolean allowed = isPreflight(request) && decision.rule != null && allows(decision.rule, request);
        HttpResponse response = StatusAnswer.of(allowed ? HttpResponseStatus.NO_CONTENT : HttpResponseStatus.FORBIDDEN);
        Vary.add(response.headers(), Names.ORIGIN);
        if (isPreflight(request)) {
            Vary.add(response.headers(), Names.ACCESS_CONTROL_REQUEST_METHOD);
            Vary.add(response.headers(), Names.ACCESS_CONTROL_REQUEST_HEADERS);
        }
        if (allowed) {
            describe(response.headers(), decision, request);
        }
        queue.sendWhole(response, queue.completeHead(request, response));
    }

    private static boolean allows(CorsRules.Rule rule, HttpRequest request) {
        if (!rule.allowsMethod(request.headers().get(Names.ACCESS_CONTROL_REQUEST_METHOD))) {
            return false;
        }
        for (String value : request.headers().getAll(Names.ACCESS_CONTROL_REQUEST_HEADERS)) {
            for (String name : value.split(",")) {
                if (!name.isBlank() && !rule.allowsHeader(name.trim())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Lists only what the request asked for, spelled as in the request: that is all a browser looks for. */
    private static void describe(HttpHeaders headers, Decision decision, HttpRequest request) {
        allowOrigin(headers, decision);
        headers.set(Names.ACCESS_CONTROL_ALLOW_METHODS, decision.rule.methods());
        String asked = String.join(", ", request.headers().getAll(Names.ACCESS_CONTROL_REQUEST_HEADERS));
        setUnlessEmpty(headers, Names.ACCESS_CONTROL_ALLOW_HEADERS, asked.toLowerCase(Locale.ROOT));
        if (decision.rule.maxAgeSeconds() >= 0) {
            headers.set(Names.ACCESS_CONTROL_MAX_AGE, decision.rule.maxAgeSeconds());
        }
    }
}
