package dev.heddle.testing;

import dev.heddle.internal.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A page in a [Browser]: a test reads it by JavaScript, and uses it by keys and mouse.
///
/// For one thread, except where a method says otherwise.
public final class BrowserPage {

    private final DevTools connection;
    private final String session;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Boolean> loaded = new CompletableFuture<>();

    /// The mouse buttons that are held: [#mouseMove] with one held is a drag.
    private int buttons;

    BrowserPage(DevTools connection, String session) throws InterruptedException {
        this.connection = connection;
        this.session = session;
        connection.listen(session, this::take);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            ask(domain + ".enable", Map.of());
        }
        ask("Emulation.setFocusEmulationEnabled", Map.of("enabled", true)); // keys reach it behind another page, too
    }

    private Map<?, ?> ask(String method, Map<String, ?> parameters) throws InterruptedException {
        return connection.ask(session, method, parameters);
    }

    private void take(DevTools.Event event) {
        Map<?, ?> parameters = event.parameters();
        switch (event.method()) {
            case "Page.loadEventFired" -> loaded.complete(true);
            case "Network.requestWillBeSent" -> requests.add(text(parameters, "request", "url"));
            case "Runtime.exceptionThrown" -> problems.add(exception(parameters.get("exceptionDetails")));
            case "Runtime.consoleAPICalled" -> {
                if ("error".equals(parameters.get("type")) || "assert".equals(parameters.get("type"))) {
                    problems.add("console: " + parameters.get("args"));
                }
            }
            case "Log.entryAdded" -> {
                if ("error".equals(text(parameters, "entry", "level"))) {
                    problems.add(text(parameters, "entry", "text") + " " + text(parameters, "entry", "url"));
                }
            }
            default -> {} // nothing that a test asks for
        }
    }

    private static String text(Map<?, ?> map, String member, String name) {
        return String.valueOf(((Map<?, ?>) map.get(member)).get(name));
    }

    private static String exception(@Nullable Object details) {
        return details instanceof Map<?, ?> map && map.get("exception") instanceof Map<?, ?> thrown
                ? String.valueOf(thrown.get("description") == null ? thrown.get("value") : thrown.get("description"))
                : String.valueOf(details);
    }

    /// Loads a page, and waits for its `load` event.
    public void goTo(String url) throws InterruptedException {
        loaded = new CompletableFuture<>();
        Object failure = ask("Page.navigate", Map.of("url", url)).get("errorText");
        if (failure != null) {
            throw new AssertionError(url + " cannot be loaded: " + failure);
        }
        DevTools.await(loaded, "load of " + url);
    }

    /// The value of a JavaScript expression: null, a Boolean, Long, Double or String, a list or a map. The value of a
    /// promise is awaited. Fails with the exception that the expression throws.
    public @Nullable Object evaluate(String expression) throws InterruptedException {
        Map<?, ?> answer =
                ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.get("exceptionDetails") != null) {
            throw new AssertionError(expression + ": " + exception(answer.get("exceptionDetails")));
        }
        return ((Map<?, ?>) answer.get("result")).get("value");
    }

    /// The value of an expression as text.
    public String text(String expression) throws InterruptedException {
        return String.valueOf(evaluate(expression));
    }

    /// Waits until a JavaScript expression is true. The page itself looks, at each of its turns.
    public void await(String condition) throws InterruptedException {
        try {
            Object _ = evaluate("""
                    new Promise((done, failed) => {
                        const look = () => {
                            try {
                                if (%s) { done(true); } else { setTimeout(look, 10); }
                            } catch (e) {
                                failed(e);
                            }
                        };
                        look();
                    })""".formatted(condition));
        } catch (AssertionError e) {
            throw new AssertionError("never true: " + condition + "; problems of the page: " + problems, e);
        }
    }

    /// Presses and releases a key: a character, or a name such as `Enter`, `Escape`, `Tab` or `ArrowLeft`.
    public void press(String key) throws InterruptedException {
        Map<String, Object> down = new LinkedHashMap<>();
        down.put("type", "keyDown");
        down.put("key", key);
        down.put("windowsVirtualKeyCode", Keys.code(key));
        String text = key.equals("Enter") ? "\r" : key;
        if (text.length() == 1) {
            down.put("text", text);
        }
        ask("Input.dispatchKeyEvent", down);
        ask("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", Keys.code(key)));
    }

    /// Types into the element that has the focus.
    public void type(String text) throws InterruptedException {
        for (int i = 0; i < text.length(); i++) {
            press(text.substring(i, i + 1));
        }
    }

    /// Moves the mouse to a point of the window, in CSS pixels.
    public void mouseMove(double x, double y) throws InterruptedException {
        mouse("mouseMoved", x, y, Map.of("buttons", buttons));
    }

    /// Presses the left button and holds it.
    public void mouseDown(double x, double y) throws InterruptedException {
        buttons = 1;
        mouse("mousePressed", x, y, Map.of("button", "left", "buttons", 1, "clickCount", 1));
    }

    public void mouseUp(double x, double y) throws InterruptedException {
        buttons = 0;
        mouse("mouseReleased", x, y, Map.of("button", "left", "buttons", 0, "clickCount", 1));
    }

    /// Turns the wheel: a positive `deltaY` scrolls down.
    public void wheel(double x, double y, double deltaX, double deltaY) throws InterruptedException {
        mouse("mouseWheel", x, y, Map.of("deltaX", deltaX, "deltaY", deltaY));
    }

    public void click(double x, double y) throws InterruptedException {
        mouseMove(x, y);
        mouseDown(x, y);
        mouseUp(x, y);
    }

    /// Clicks the middle of the element that a CSS selector finds, having scrolled to it.
    public void click(String selector) throws InterruptedException {
        List<?> middle = (List<?>) evaluate("""
                (element => {
                    element.scrollIntoView({block: 'center', behavior: 'instant'});
                    const box = element.getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                })(document.querySelector(%s))""".formatted(quoted(selector)));
        click(((Number) middle.get(0)).doubleValue(), ((Number) middle.get(1)).doubleValue());
    }

    private static String quoted(String text) {
        return Json.of(text);
    }

    private void mouse(String type, double x, double y, Map<String, ?> more) throws InterruptedException {
        Map<String, Object> event = new LinkedHashMap<>(more);
        event.put("type", type);
        event.put("x", x);
        event.put("y", y);
        ask("Input.dispatchMouseEvent", event);
    }

    /// Sets the size of the window, in CSS pixels.
    public void resize(int width, int height) throws InterruptedException {
        ask(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /// Lets the page believe that the user prefers dark or light colours.
    public void setDark(boolean dark) throws InterruptedException {
        Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        ask("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    /// Writes what the window shows to a PNG file.
    public void screenshot(Path file) throws IOException, InterruptedException {
        Object data = ask("Page.captureScreenshot", Map.of("format", "png")).get("data");
        Files.write(file, Base64.getDecoder().decode(String.valueOf(data)));
    }

    /// Uncaught exceptions, errors on the console, violated policies and resources that could not be loaded. Any
    /// thread.
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /// The addresses of all requests, that of the page included. Any thread.
    public List<String> requests() {
        return List.copyOf(requests);
    }
}
