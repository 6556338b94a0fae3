package dev.heddle.cli.web;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which requests are answered at all.
///
/// The server listens on this machine only, but everything on this machine can connect: other users, and each page
/// that a browser shows. A request must therefore name the secret token, as the first part of its path. The other
/// checks hold even if a token became known: a page of another host, whose name was made to point here (DNS
/// rebinding), sends that name as `Host`; a page of another server on this machine sends its own address as `Origin`.
final class Gate {

    /// Enough that it cannot be guessed.
    private static final int TOKEN_BYTES = 18;

    private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private final String token;

    Gate(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        this.token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    String token() {
        return token;
    }

    /// Why a request is refused; null if it may pass.
    @Nullable
    Reply refusal(String method, URI uri, Headers headers) {
        String host = only(headers.get("Host"));
        if (host == null || !isOwnHost(host) || uri.getRawAuthority() != null || uri.getScheme() != null) {
            return Reply.sentence(
                    Reply.FORBIDDEN,
                    "This server answers requests to 127.0.0.1 and localhost only, not to other names.");
        }
        if (!isToken(uri.getRawPath())) {
            return Reply.sentence(
                    Reply.FORBIDDEN,
                    "The token is missing or wrong: open the whole address that heddle web has printed.");
        }
        if (method.equals("GET")) {
            return null;
        }
        if (!method.equals("POST")) {
            return Reply.sentence(Reply.WRONG_METHOD, "There are only GET and POST.");
        }
        List<String> origins = headers.getOrDefault("Origin", List.of());
        return origins.isEmpty() || origins.equals(List.of("http://" + host))
                ? null
                : Reply.sentence(Reply.FORBIDDEN, "This request comes from a page of another server.");
    }

    /// The path below the token, of a request that may pass: empty for the page itself.
    String pathOf(URI uri) {
        return uri.getRawPath().substring(token.length() + 2);
    }

    private static @Nullable String only(@Nullable List<String> values) {
        return values != null && values.size() == 1 ? values.getFirst() : null;
    }

    /// With any port: an SSH tunnel may begin at another one.
    private static boolean isOwnHost(String host) {
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > host.lastIndexOf(']');
        return OWN_HOSTS.contains(hasPort ? host.substring(0, colon) : host);
    }

    /// Compares in a time that does not depend on how much of it is right.
    private boolean isToken(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            return false;
        }
        int end = path.indexOf('/', 1);
        return end > 0
                && MessageDigest.isEqual(
                        path.substring(1, end).getBytes(StandardCharsets.UTF_8),
                        token.getBytes(StandardCharsets.UTF_8));
    }
}
