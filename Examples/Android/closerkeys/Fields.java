package closerkeys;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Members of the stored state. What is null is left out. */
final class Fields {
    final Map<String, Object> members;

    Fields() {
        members = new TreeMap<>();
    }

    Fields(Object value) throws Refused {
        members = Json.object(value);
    }

    Fields put(String name, Object value) {
        if (value != null) members.put(name, value);
        return this;
    }

    Fields put(String name, byte[] value) {
        return put(name, value == null ? null : (Object) Base64Text.url(value));
    }

    String text(String name) throws Refused {
        Object value = members.get(name);
        Refused.form(value == null || value instanceof String);
        return (String) value;
    }

    byte[] bytes(String name) throws Refused {
        String text = text(name);
        return text == null ? null : Base64Text.fromUrl(text);
    }

    long number(String name) throws Refused {
        Object value = members.get(name);
        Refused.form(value instanceof Double);
        return ((Double) value).longValue();
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    Fields inner(String name) throws Refused {
        return members.get(name) == null ? null : new Fields(members.get(name));
    }

    List<String> texts(String name) throws Refused {
        List<String> texts = new ArrayList<>();
        Object value = members.get(name);
        Refused.form(value == null || value instanceof Collection);
        if (value != null) for (Object each : (Collection<?>) value) texts.add((String) each);
        return texts;
    }
}
