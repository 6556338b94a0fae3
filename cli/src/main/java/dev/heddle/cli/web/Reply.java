package dev.heddle.cli.web;

import dev.heddle.internal.wire.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a request is answered.
///
/// @param status the HTTP status
/// @param type   the content type
/// @param policy the content security policy: what the answer may do, if a browser shows it
/// @param body   the content
@SuppressWarnings("ArrayRecordComponent") // written once and read once
record Reply(int status, String type, String policy, byte[] body) {

    static final int OK = 200;
    static final int ACCEPTED = 202;
    static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int WRONG_METHOD = 405;
    static final int CONFLICT = 409;
    static final int UNAVAILABLE = 503;

    /// Whatever is not named here is refused, inline code included.
    static final String OWN_FILES_ONLY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// A page with rules of its own, and an origin of its own: it cannot ask this server, whatever it contains.
    private static final String OWN_RULES = "sandbox allow-scripts; frame-ancestors 'none'";

    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

    static Reply file(String type, byte[] body) {
        return new Reply(OK, type, OWN_FILES_ONLY, body);
    }

    static Reply closedPage(byte[] body) {
        return new Reply(OK, "text/html; charset=utf-8", OWN_RULES, body);
    }

    static Reply json(@Nullable Object document) {
        return new Reply(OK, "application/json", NOTHING, bytes(Json.compact(document)));
    }

    /// A sentence for people.
    static Reply sentence(int status, String sentence) {
        return new Reply(status, "text/plain; charset=utf-8", NOTHING, bytes(sentence + "\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
