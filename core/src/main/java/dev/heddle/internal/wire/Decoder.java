package dev.heddle.internal.wire;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes records of what [JsonReader] read and [Json#compact] wrote.
///
/// A missing member becomes null, 0, false or an empty list, and an unknown member is ignored. So the two sides
/// may have different versions of a record, as long as a component keeps its meaning.
public final class Decoder {

    private final List<? extends List<?>> shared;

    private Decoder(List<? extends List<?>> shared) {
        this.shared = shared;
    }

    /// The value as an instance of `type`: a record, a string, a number or an enum constant.
    ///
    /// @throws IllegalArgumentException if it is none
    public static <T> T decode(Class<T> type, @Nullable Object json) {
        return decode(type, json, List.of());
    }

    /// @param shared what the indices of shared lists stand for: see [SharedLists]
    /// @throws IllegalArgumentException if it is none
    public static <T> T decode(Class<T> type, @Nullable Object json, List<? extends List<?>> shared) {
        Object value = new Decoder(shared).value(type, json);
        if (value == null) {
            throw new IllegalArgumentException("a " + type.getSimpleName() + " is missing");
        }
        return type.cast(value);
    }

    private @Nullable Object value(Type type, @Nullable Object json) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class ? map(arguments[1], json) : list(arguments[0], json);
        }
        Class<?> wanted = (Class<?>) type;
        if (wanted.isPrimitive()) {
            return primitive(wanted, json);
        }
        if (wanted.isArray()) {
            return array(wanted.getComponentType(), json);
        }
        if (wanted == String.class) {
            return json == null ? null : as(String.class, json);
        }
        if (wanted.isRecord()) {
            return json == null ? null : record(wanted, as(Map.class, json));
        }
        if (wanted.isEnum()) {
            return json == null ? null : constant(wanted, as(String.class, json));
        }
        if (json == null) {
            return null;
        }
        if (wanted == Integer.class) {
            return intOf(longOf(json));
        }
        if (wanted == Double.class) {
            return as(Number.class, json).doubleValue();
        }
        return as(wanted, json); // Long, Boolean, Object
    }

    private static Object primitive(Class<?> type, @Nullable Object json) {
        if (type == boolean.class) {
            return json != null && as(Boolean.class, json);
        }
        if (type == double.class) {
            return json == null ? 0.0 : as(Number.class, json).doubleValue();
        }
        long number = json == null ? 0 : longOf(json);
        if (type == int.class) {
            return intOf(number);
        }
        if (type == long.class) {
            return number;
        }
        throw new IllegalArgumentException("there is no JSON for a " + type);
    }

    private static long longOf(Object json) {
        return as(Long.class, json);
    }

    private static int intOf(long number) {
        if (number != (int) number) {
            throw new IllegalArgumentException(number + " is too large");
        }
        return (int) number;
    }

    private static Object array(Class<?> element, @Nullable Object json) {
        if (element == byte.class) {
            return json == null ? new byte[0] : Base64.getDecoder().decode(as(String.class, json));
        }
        List<?> list = json == null ? List.of() : as(List.class, json);
        Object array = Array.newInstance(element, list.size());
        for (int i = 0; i < list.size(); i++) {
            Array.set(array, i, primitive(element, list.get(i)));
        }
        return array;
    }

    private List<?> list(Type element, @Nullable Object json) {
        if (json == null) {
            return List.of();
        }
        if (json instanceof Long index) {
            if (index < 0 || index >= shared.size()) {
                throw new IllegalArgumentException("there is no shared list " + index);
            }
            return shared.get(Math.toIntExact(index));
        }
        List<@Nullable Object> list = new ArrayList<>();
        for (Object each : as(List.class, json)) {
            list.add(value(element, each));
        }
        return list;
    }

    private Map<String, ?> map(Type element, @Nullable Object json) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        if (json != null) {
            as(Map.class, json).forEach((name, each) -> map.put(String.valueOf(name), value(element, each)));
        }
        return map;
    }

    private Object record(Class<?> type, Map<?, ?> members) {
        RecordShape shape = RecordShape.of(type);
        @Nullable Object[] values = new @Nullable Object[shape.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(shape.type(i), members.get(shape.name(i)));
        }
        return shape.create(values);
    }

    private static Object constant(Class<?> type, String name) {
        for (Object each : type.getEnumConstants()) {
            if (((Enum<?>) each).name().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("there is no " + type.getSimpleName() + " " + name);
    }

    private static <T> T as(Class<T> type, Object json) {
        if (!type.isInstance(json)) {
            throw new IllegalArgumentException("a " + type.getSimpleName() + " was expected");
        }
        return type.cast(json);
    }
}
