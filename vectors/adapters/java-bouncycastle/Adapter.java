import static java.nio.charset.StandardCharsets.UTF_8;
import java.io.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.generators.*;
import org.bouncycastle.crypto.params.*;
/** An adapter for `closer-keys vectors run`, on BouncyCastle and the JDK's AES-GCM: java -cp /usr/share/java/bcprov.jar Adapter.java */
public class Adapter {
    static class Refused extends RuntimeException { Refused(String id) { super(id); } }
    interface Attempt { byte[] open(byte[] key, byte[] rest) throws Exception; }
    static byte[] hex(String text) { return HexFormat.of().parseHex(text == null ? "" : text); }
    static void demand(boolean holds, String error) { if (!holds) throw new Refused(error); }
    static byte[] cut(byte[] bytes, int from, int to) { demand(to <= bytes.length, "malformed"); return Arrays.copyOfRange(bytes, from, to); }
    /** Strict: encoded again it is the same text. The standard alphabet is padded, the other is not. */
    static byte[] unbase64(String text, boolean isUrl) {
        var encoder = isUrl ? Base64.getUrlEncoder().withoutPadding() : Base64.getEncoder();
        try {
            byte[] bytes = (isUrl ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
            if (encoder.encodeToString(bytes).equals(text)) return bytes;
        } catch (IllegalArgumentException error) { }
        throw new Refused("malformed");
    }
    /** Protobuf: the values of a field, numbers as Long and the rest as bytes. The keysets are one's own, so this need not be strict. */
    static List<Object> fields(byte[] message, int wanted) {
        var found = new ArrayList<Object>();
        for (int[] at = {0}; at[0] < message.length; ) {
            long tag = varint(message, at), value = varint(message, at);
            if (tag >> 3 == wanted) found.add((tag & 7) == 0 ? (Object) value : cut(message, at[0], at[0] + (int) value));
            if ((tag & 7) != 0) at[0] += (int) value;
        }
        return found;
    }
    static long varint(byte[] bytes, int[] at) { byte next = bytes[at[0]++]; return next >= 0 ? next : (next & 127) + 128 * varint(bytes, at); }
    static Object first(byte[] message, int field, Object otherwise) { return fields(message, field).stream().findFirst().orElse(otherwise); }
    static long number(byte[] message, int field) { return (Long) first(message, field, 0L); }
    static byte[] bytes(byte[] message, int... path) { for (int field : path) message = (byte[]) first(message, field, new byte[0]); return message; }
    /** By every enabled key whose prefix the ciphertext has; those without a prefix come last. */
    static byte[] opened(byte[] keyset, byte[] box, int least, Attempt attempt) throws Exception {
        demand(box.length >= least, "malformed");
        String failure = "noKey";
        for (boolean isRaw : new boolean[] {false, true}) for (Object each : fields(keyset, 2)) {
            byte[] key = (byte[]) each, prefix = hex(isRaw ? "" : "%02x%08x".formatted(number(key, 4) == 1 ? 1 : 0, number(key, 3)));
            boolean isMeant = number(key, 2) == 1 && (number(key, 4) == 3) == isRaw && Arrays.equals(prefix, Arrays.copyOf(box, prefix.length));
            try { if (isMeant) return attempt.open(bytes(key, 1, 2), cut(box, prefix.length, box.length)); }
            catch (Refused refused) { failure = failure.equals("authFailed") ? failure : refused.getMessage(); }
        }
        throw new Refused(failure);
    }
    static byte[] gcm(byte[] key, byte[] box, byte[] data) throws Exception {
        demand(box.length >= 28, "malformed");
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, box, 0, 12));
        cipher.updateAAD(data);
        try { return cipher.doFinal(box, 12, box.length - 12); } catch (AEADBadTagException error) { throw new Refused("authFailed"); }
    }
    /** Tink's ECIES: K = HKDF(kem ‖ Z), the kem bytes first. `decodePoint` refuses what is not on the curve. */
    static byte[] openBox(byte[] key, byte[] rest, byte[] context) throws Exception {
        byte[] params = bytes(key, 2, 2), kem = cut(rest, 0, number(params, 3) == 2 ? 33 : 65), sealed = cut(rest, kem.length, rest.length);
        try {
            demand(kem.length == 33 || kem[0] == 4, "authFailed"); // BouncyCastle would take the hybrid form, too
            demand(context.length <= 32768, "limit");
            var point = CustomNamedCurves.getByName("P-256").getCurve().decodePoint(kem).multiply(new java.math.BigInteger(1, bytes(key, 3)));
            byte[] dem = new byte[(int) number(bytes(params, 2, 2, 2), 2)], material = Arrays.copyOf(kem, kem.length + 32);
            System.arraycopy(point.normalize().getAffineXCoord().getEncoded(), 0, material, kem.length, 32);
            var hkdf = new HKDFBytesGenerator(new org.bouncycastle.crypto.digests.SHA256Digest());
            hkdf.init(new HKDFParameters(material, bytes(params, 1, 11), context));
            hkdf.generateBytes(dem, 0, dem.length);
            return gcm(dem, sealed, new byte[0]);
        } catch (IllegalArgumentException notOnTheCurve) { throw new Refused("authFailed"); }
    }
    static byte[] phrase(byte[] box, String code) throws Exception {
        demand(code.matches("[a-zA-Z0-9]{6}") && box.length > 45 && box[0] == 1, "malformed");
        var generator = new Argon2BytesGenerator();
        byte[] key = new byte[32];
        var costs = new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id).withMemoryAsKB(46080).withIterations(3).withParallelism(1);
        generator.init(costs.withSalt(cut(box, 1, 17)).build());
        generator.generateBytes(code.getBytes(UTF_8), key);
        return gcm(key, cut(box, 17, box.length), "closer_recovery_phrase".getBytes(UTF_8));
    }
    /** Twelve symbols as a person typed them. All else of a pairing needs ristretto255, which BouncyCastle does not have. */
    static byte[] code(String typed) {
        String kept = typed.replaceAll("[ \t\r\n\u00a0\u2010-\u2015\u2212-]", ""), upper = kept.toUpperCase(Locale.ROOT);
        demand(kept.matches("[0-9A-Za-z]{12}"), "malformed");
        return upper.replace('O', '0').replaceAll("[IL]", "1").replace('U', 'V').getBytes(UTF_8);
    }
    static byte[] agree(byte[] ours, byte[] theirs) {
        byte[] shared = new byte[32];
        boolean areKeys = ours.length == 32 && theirs.length == 32; // below: false if the secret is all zero, which anybody can know
        demand(areKeys && org.bouncycastle.math.ec.rfc7748.X25519.calculateAgreement(ours, 0, theirs, 0, shared, 0), "malformed");
        return shared;
    }
    static byte[] run(String operation, Map<String, String> test) throws Exception {
        return switch (operation) {
            case "aead.open" -> opened(hex(test.get("keyset")), hex(test.get("ciphertext")), 28, (key, rest) -> gcm(bytes(key, 3), rest, hex(test.get("associatedData"))));
            case "ecies.open" -> opened(hex(test.get("keyset")), hex(test.get("ciphertext")), 61, (key, rest) -> openBox(key, rest, hex(test.get("context"))));
            case "base64.decode" -> unbase64(test.get("text"), test.get("variant").equals("url"));
            case "pairing.code" -> code(test.get("typed"));
            case "x25519.agree" -> agree(hex(test.get("privateKey")), hex(test.get("publicKey")));
            default -> phrase(unbase64(test.get("recoveryPhrase"), false), test.get("code"));
        };
    }
    static final Map<String, String> OUTPUTS = Map.of("aead.open", "plaintext", "ecies.open", "plaintext", "base64.decode", "bytes", "x25519.agree", "sharedSecret", "invite.open", "phrase", "pairing.code", "lookup");
    static final List<String> UNSUPPORTED = List.of("cpace.agree", "cpace.generator", "pairing.confirm", "pairing.finish");
    static String answer(Map<String, String> message) throws Exception {
        String output = OUTPUTS.get(message.getOrDefault("op", "start"));
        if (UNSUPPORTED.contains(message.getOrDefault("op", ""))) return "\"skip\":\"ristretto255\"";
        if (output == null) return "\"features\":[\"" + String.join("\",\"", OUTPUTS.keySet()) + "\",\"" + String.join("\",\"", UNSUPPORTED) + "\"]";
        try {
            byte[] found = run(message.get("op"), message);
            if (output.equals("lookup")) return "\"output\":{\"lookup\":\"" + new String(found, 0, 6, UTF_8) + "\",\"secret\":\"" + new String(found, 6, 6, UTF_8) + "\"}";
            return "\"output\":{\"" + output + "\":\"" + (output.equals("phrase") ? new String(found, UTF_8).replaceAll("[\\\\\"]", "\\\\$0") : HexFormat.of().formatHex(found)) + "\"}";
        } catch (Refused refused) { return "\"error\":\"" + refused.getMessage() + "\""; }
    }
    /** The JDK has no JSON: all members of a message that are text or numbers, and escapes as `Properties` reads them. */
    public static void main(String[] arguments) throws Exception {
        var member = java.util.regex.Pattern.compile("\"(\\w+)\": ?(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|(\\d+))");
        var input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = input.readLine(); line != null && !line.contains("\"stop\""); line = input.readLine()) {
            var message = new HashMap<String, String>();
            for (var found = member.matcher(line); found.find(); ) {
                var text = new Properties();
                text.load(new StringReader("x=_" + (found.group(2) == null ? found.group(3) : found.group(2))));
                message.put(found.group(1), text.getProperty("x").substring(1));
            }
            new PrintStream(System.out, true, UTF_8).println("{\"seq\":" + message.get("seq") + "," + answer(message) + "}");
        }
    }
}
