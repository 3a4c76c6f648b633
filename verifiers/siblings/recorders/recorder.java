package PACKAGE;

import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Notes what tests are answered. What comes with Java is all it may use. */
final class _Asks {
    interface Action {
        void run() throws Throwable;
    }

    /** Appends one note: the test, the place in it, the answer as JSON; null for what is no plain data. */
    static <T> T note(String test, int place, T answer) {
        String said;
        try {
            said = sayPlain(answer, 0);
            said = said.substring(0, Math.min(said.length(), 5000));
        } catch (RuntimeException | StackOverflowError problem) {
            said = "null";
        }
        String line = "[" + quote(test) + "," + quote(place + " " + said) + "]\n";
        try (OutputStream notes = Files.newOutputStream(
                Paths.get("PLACE"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            notes.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException problem) {
            return answer;
        }
        return answer;
    }

    /** Which exception an action ends with, if any. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> T raised(String test, int place, Action action) {
        Throwable raised = null;
        try {
            action.run();
        } catch (Throwable problem) {
            raised = problem;
        }
        note(test, place, raised == null ? null : raised.getClass().getName());
        return (T) raised;
    }

    /** Lets a condition stand alone. */
    static void take(boolean condition) {}

    /** Plain data with its type, as JSON. What is equal becomes the same. */
    private static String sayPlain(Object answer, int depth) {
        if (depth > 20) {
            throw new IllegalStateException();
        }
        if (answer == null) {
            return "\"None\"";
        }
        if (answer instanceof Boolean) {
            return (Boolean) answer ? "1" : "0";
        }
        if (answer instanceof Double || answer instanceof Float) {
            return "[\"float\"," + quote(String.format("%.6e", ((Number) answer).doubleValue())) + "]";
        }
        if (answer instanceof Number) {
            return answer instanceof Long || answer instanceof Integer || answer instanceof Short || answer instanceof Byte
                    ? answer.toString() : quote(answer.toString());
        }
        if (answer instanceof CharSequence || answer instanceof Character) {
            return "[\"str\"," + quote(answer.toString()) + "]";
        }
        if (answer instanceof Throwable) {
            return "[\"error\"," + quote(answer.getClass().getName()) + "]";
        }
        if (answer instanceof Enum) {
            return "[\"enum\"," + quote(((Enum<?>) answer).name()) + "]";
        }
        if (answer instanceof Optional) {
            return "[\"optional\"," + sayPlain(((Optional<?>) answer).orElse(null), depth + 1) + "]";
        }
        if (answer instanceof Map) {
            return sayPairs((Map<?, ?>) answer, depth);
        }
        if (answer instanceof Collection || answer.getClass().isArray()) {
            return sayMembers(answer, depth);
        }
        String type = answer.getClass().getName();
        if (type.startsWith("java.time.") || type.equals("java.util.Date") || type.equals("java.util.UUID") || isRecord(answer)) {
            return "[" + quote(answer.getClass().getSimpleName()) + "," + quote(answer.toString()) + "]";
        }
        throw new IllegalStateException();
    }

    private static boolean isRecord(Object answer) {
        Class<?> above = answer.getClass().getSuperclass();
        return above != null && above.getName().equals("java.lang.Record");
    }

    private static String sayPairs(Map<?, ?> answer, int depth) {
        List<String> pairs = new ArrayList<>();
        for (Map.Entry<?, ?> pair : answer.entrySet()) {
            pairs.add("[" + sayPlain(pair.getKey(), depth + 1) + "," + sayPlain(pair.getValue(), depth + 1) + "]");
        }
        Collections.sort(pairs);
        return "[\"dict\",[" + String.join(",", pairs) + "]]";
    }

    private static String sayMembers(Object answer, int depth) {
        List<String> members = new ArrayList<>();
        if (answer instanceof Collection) {
            for (Object member : (Collection<?>) answer) {
                members.add(sayPlain(member, depth + 1));
            }
        } else {
            for (int at = 0; at < Array.getLength(answer); at++) {
                members.add(sayPlain(Array.get(answer, at), depth + 1));
            }
        }
        if (answer instanceof Set) {
            Collections.sort(members);
        }
        return "[\"" + (answer instanceof Set ? "set" : "list") + "\",[" + String.join(",", members) + "]]";
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char sign : text.toCharArray()) {
            if (sign == '"' || sign == '\\') {
                quoted.append('\\').append(sign);
            } else if (sign < ' ' || Character.isSurrogate(sign)) {
                quoted.append(String.format("\\u%04x", (int) sign));
            } else {
                quoted.append(sign);
            }
        }
        return quoted.append('"').toString();
    }
}
