package closerkeys;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** The line protocol of vectors/README.md: one request a line, one answer a line. */
final class Lines {
    private Lines() {}

    /** A case: texts, and bytes in hexadecimal. */
    static final class Case {
        final Map<String, Object> members;

        Case(Map<String, Object> message) throws Refused {
            members = Json.object(message.get("case"));
        }

        boolean has(String name) {
            return members.containsKey(name);
        }

        String text(String name) throws Refused {
            return Json.text(members, name);
        }

        byte[] utf8(String name) throws Refused {
            return Bytes.utf8(text(name));
        }

        byte[] hex(String name) throws Refused {
            String text = text(name);
            byte[] bytes = new byte[text.length() / 2];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) Integer.parseInt(text.substring(2 * at, 2 * at + 2), 16);
            }
            return bytes;
        }
    }

    interface Operation {
        /** The members of the output: texts, numbers, and bytes, which are written in hexadecimal. */
        Map<String, Object> run(Case given) throws Refused, IOException;
    }

    static Map<String, Object> output(Object... namesAndValues) {
        Map<String, Object> output = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            Object value = namesAndValues[at + 1];
            output.put((String) namesAndValues[at], value instanceof byte[] ? hex((byte[]) value) : value);
        }
        return output;
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) text.append(String.format("%02x", each));
        return text.toString();
    }

    static void serve(Map<String, Operation> operations) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, "UTF-8");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            try {
                Map<String, Object> message = Json.readObject(line);
                if ("stop".equals(message.get("cmd"))) return;
                answer.put("seq", message.get("seq"));
                if ("start".equals(message.get("cmd"))) answer.put("features", new ArrayList<>(operations.keySet()));
                else answer.put("output", operations.get(message.get("op")).run(new Case(message)));
            } catch (Refused refused) {
                answer.put("error", refused.reason.id);
            } catch (IOException error) {
                answer.put("error", "notKept");
            } catch (Exception error) {
                error.printStackTrace();
                answer.put("error", "internal");
            }
            output.println(CanonicalJson.text(answer));
        }
    }
}
