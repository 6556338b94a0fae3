package dev.heddle.cli.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which requests are refused, and with which sentence.
final class GateTest {

    private final Gate gate = new Gate(new SecureRandom());

    private int status(String method, String uri, Headers headers) {
        Reply refusal = gate.refusal(method, URI.create(uri.replace("TOKEN", gate.token())), headers);
        return refusal == null ? Reply.OK : refusal.status();
    }

    private static Headers host(String... hosts) {
        Headers headers = new Headers();
        headers.put("Host", List.of(hosts));
        return headers;
    }

    private static Headers origin(String origin) {
        Headers headers = host("127.0.0.1:80");
        headers.set("Origin", origin);
        return headers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:4711", "localhost:4711", "localhost", "127.0.0.1", "[::1]:4711", "[::1]"})
    void namesOfThisMachineAreAnswered(String host) {
        assertThat(status("GET", "/TOKEN/", host(host))).isEqualTo(Reply.OK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:4711",
                "127.0.0.1.evil.example",
                "localhost.evil.example:80",
                "evil.example",
                "",
                ":80",
                "10.0.0.1:4711",
                "[::1].evil.example",
                "127.0.0.1:80:80",
                "user@localhost"
            })
    void otherNamesAreNot(String host) {
        assertThat(status("GET", "/TOKEN/", host(host))).isEqualTo(Reply.FORBIDDEN);
    }

    @Test
    void thereIsOneHost() {
        assertThat(status("GET", "/TOKEN/", new Headers())).isEqualTo(Reply.FORBIDDEN);
        assertThat(status("GET", "/TOKEN/", host("localhost", "evil.example"))).isEqualTo(Reply.FORBIDDEN);
        assertThat(status("GET", "http://evil.example/TOKEN/", host("localhost")))
                .isEqualTo(Reply.FORBIDDEN);
        assertThat(status("GET", "//evil.example/TOKEN/", host("localhost"))).isEqualTo(Reply.FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/TOKEN", "/x/", "/TOKENx/", "/xTOKEN/", "/../TOKEN/", "/x/../TOKEN/", "*", "//TOKEN/"})
    void theTokenIsTheFirstPartOfThePath(String path) {
        assertThat(status("GET", path, host("localhost"))).isEqualTo(Reply.FORBIDDEN);
    }

    @Test
    void everyCharacterOfTheTokenCounts() {
        char last = gate.token().charAt(gate.token().length() - 1);
        String wrong = gate.token().substring(0, gate.token().length() - 1) + (last == 'A' ? 'B' : 'A');
        assertThat(status("GET", "/" + wrong + "/", host("localhost"))).isEqualTo(Reply.FORBIDDEN);
        assertThat(gate.token()).hasSize(24).isNotEqualTo(new Gate(new SecureRandom()).token());
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:80, 200",
        "http://127.0.0.1:81, 403",
        "https://127.0.0.1:80, 403",
        "http://localhost:80, 403",
        "http://evil.example, 403",
        "null, 403"
    })
    void onlyTheOwnPageChangesAnything(String origin, int expected) {
        assertThat(status("POST", "/TOKEN/leave", origin(origin))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "CONNECT", "get"})
    void thereAreTwoMethods(String method) {
        assertThat(status(method, "/TOKEN/", host("localhost"))).isEqualTo(Reply.WRONG_METHOD);
    }
}
