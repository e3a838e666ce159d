import static java.nio.charset.StandardCharsets.UTF_8;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import java.util.regex.*;
import javax.crypto.*;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.params.*;
import org.bouncycastle.util.Arrays;
/** A sealer for `closer-keys vectors live`, on BouncyCastle, its boxes on the JDK: java -cp /usr/share/java/bcprov.jar Sealer.java */
public class Sealer {
    static final String COSTS = "{\\\"alg\\\":\\\"argon2id\\\",\\\"m\\\":46080,\\\"p\\\":1,\\\"t\\\":3,\\\"v\\\":19}"; // JSON in JSON
    interface Operation { String seal(Map<String, String> test) throws Exception; }
    static final Map<String, Operation> OPERATIONS = Map.of(
        "aead.seal", test -> json("ciphertext", hex(aead(hex(test, "keyset"), hex(test, "plaintext"), hex(test, "associatedData")))),
        "field.seal", test -> json("token", "enc:v1:" + base64(aead(hex(test, "keyset"), hex(test, "plaintext"), utf8(test, "coupleId")))),
        "placedField.seal", test -> json("token", "enc:v2:" + base64(aead(hex(test, "keyset"), hex(test, "plaintext"), prefixed("closer-keys/v2/field".getBytes(UTF_8), utf8(test, "coupleId"), utf8(test, "place"))))),
        "ecies.seal", test -> json("ciphertext", hex(box(hex(test, "publicKeyset"), hex(test, "plaintext"), hex(test, "context")))),
        "keybox.seal", test -> json("keybox", "keybox:v1:" + Base64.getUrlEncoder().withoutPadding().encodeToString(
            box(Base64.getUrlDecoder().decode(test.get("publicKey").substring(7)), hex(test, "plaintext"), utf8(test, "context")))),
        "wrap.wrap", test -> { // an app gives the phrase in its normal form: lower case, one space between words
            byte[] salt = random(16), box = locked(utf8(test, "phrase"), salt, hex(test, "keyset"), "closer_couple_key");
            return json("wrappedCoupleKey", base64(box)) + "," + json("kdfSalt", base64(salt)) + "," + json("kdfParams", COSTS);
        },
        "invite.seal", test -> {
            byte[] salt = random(16), box = locked(utf8(test, "code"), salt, utf8(test, "phrase"), "closer_recovery_phrase");
            return json("recoveryPhrase", base64(Arrays.concatenate(new byte[] {1}, salt, box)));
        },
        "x25519.agree", test -> {
            byte[] ours = hex(test, "privateKey"), theirs = hex(test, "publicKey"), shared = new byte[32]; // all zero: it throws
            new X25519PrivateKeyParameters(ours).generateSecret(new X25519PublicKeyParameters(theirs), shared, 0);
            return json("sharedSecret", hex(shared));
        });
    static byte[] hex(Map<String, String> test, String name) { return HexFormat.of().parseHex(test.get(name)); }
    static byte[] utf8(Map<String, String> test, String name) { return test.get(name).getBytes(UTF_8); }
    static String hex(byte[] bytes) { return HexFormat.of().formatHex(bytes); }
    /** Each item behind its count of bytes. */
    static byte[] prefixed(byte[]... items) {
        byte[] all = new byte[0];
        for (byte[] item : items) all = Arrays.concatenate(all, java.nio.ByteBuffer.allocate(4).putInt(item.length).array(), item);
        return all;
    }
    static String base64(byte[] bytes) { return Base64.getEncoder().encodeToString(bytes); }
    static String json(String name, String text) { return "\"" + name + "\":\"" + text + "\""; }
    static byte[] random(int count) { byte[] bytes = new byte[count]; new SecureRandom().nextBytes(bytes); return bytes; }
    /** Protobuf: the values of a field, numbers as Long and the rest as bytes. The keysets are good, so this need not be strict. */
    static List<Object> fields(byte[] message, int wanted) {
        var found = new ArrayList<Object>();
        for (int[] at = {0}; at[0] < message.length; ) {
            long tag = varint(message, at), value = varint(message, at);
            Object read = (tag & 7) == 0 ? (Object) value : Arrays.copyOfRange(message, at[0], at[0] += value);
            if (tag >> 3 == wanted) found.add(read);
        }
        return found;
    }
    static long varint(byte[] from, int[] at) { byte next = from[at[0]++]; return next >= 0 ? next : (next & 127) + 128 * varint(from, at); }
    static Object first(byte[] part, int field, Object none) { return fields(part, field).stream().findFirst().orElse(none); }
    static long number(byte[] part, int field) { return (Long) first(part, field, 0L); }
    static byte[] bytes(byte[] part, int... path) { for (int field : path) part = (byte[]) first(part, field, new byte[0]); return part; }
    static byte[] primary(byte[] keyset) { // wherever it stands, and enabled (1): one that is not may have the same id
        var keys = fields(keyset, 2).stream().map(key -> (byte[]) key);
        return keys.filter(key -> number(key, 3) == number(keyset, 1) && number(key, 2) == 1).findFirst().orElseThrow();
    }
    static byte[] prefix(byte[] key) { // none if the key is RAW (3); 01 if TINK (1), else 00, and the id
        return HexFormat.of().parseHex(number(key, 4) == 3 ? "" : "%02x%08x".formatted(number(key, 4) == 1 ? 1 : 0, number(key, 3)));
    }
    static byte[] aead(byte[] keyset, byte[] plaintext, byte[] data) throws Exception {
        return Arrays.concatenate(prefix(primary(keyset)), gcm(bytes(primary(keyset), 1, 2, 3), plaintext, data));
    }
    static byte[] gcm(byte[] key, byte[] plaintext, byte[] data) throws Exception {
        byte[] iv = random(12), box = Arrays.copyOf(iv, 12 + plaintext.length + 16);
        var cipher = GCMBlockCipher.newInstance(org.bouncycastle.crypto.engines.AESEngine.newInstance());
        cipher.init(true, new AEADParameters(new KeyParameter(key), 128, iv, data));
        cipher.doFinal(box, 12 + cipher.processBytes(plaintext, 0, plaintext.length, box, 12));
        return box;
    }
    static byte[] locked(byte[] secret, byte[] salt, byte[] plaintext, String purpose) throws Exception {
        var costs = new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id).withMemoryAsKB(46080).withIterations(3).withParallelism(1);
        var generator = new org.bouncycastle.crypto.generators.Argon2BytesGenerator();
        byte[] key = new byte[32];
        generator.init(costs.withSalt(salt).build());
        generator.generateBytes(secret, key);
        return gcm(key, plaintext, purpose.getBytes(UTF_8));
    }
    static byte[] box(byte[] keyset, byte[] plaintext, byte[] context) throws Exception { // Tink's ECIES, uncompressed points
        byte[] key = primary(keyset), value = bytes(key, 1, 2), params = bytes(value, 2);
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var ours = generator.generateKeyPair();
        var point = new ECPoint(new java.math.BigInteger(1, bytes(value, 3)), new java.math.BigInteger(1, bytes(value, 4)));
        var theirs = new ECPublicKeySpec(point, ((java.security.interfaces.ECPublicKey) ours.getPublic()).getParams());
        var agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(ours.getPrivate());
        agreement.doPhase(KeyFactory.getInstance("EC").generatePublic(theirs), true);
        byte[] x509 = ours.getPublic().getEncoded(), kem = Arrays.copyOfRange(x509, x509.length - 65, x509.length); // 04‖X‖Y
        byte[] derived = hkdf(Arrays.concatenate(kem, agreement.generateSecret()), bytes(params, 1, 11), context); // kem first
        var cipher = Cipher.getInstance("AES/GCM/NoPadding"); // draws the nonce
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(derived, 0, (int) number(bytes(params, 2, 2, 2), 2), "AES"));
        return Arrays.concatenate(prefix(key), kem, cipher.getIV(), cipher.doFinal(plaintext));
    }
    static byte[] hkdf(byte[] secret, byte[] salt, byte[] info) throws Exception { // RFC 5869: extract, and expand to one block
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(salt.length == 0 ? new byte[32] : salt, "HmacSHA256"));
        mac.init(new SecretKeySpec(mac.doFinal(secret), "HmacSHA256"));
        return mac.doFinal(Arrays.append(info, (byte) 1));
    }
    static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": ?\"?((?<=\")[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+|\\d+)");
    static String unescaped(String text) { // the JDK has no JSON: a member is a text or a number
        return Pattern.compile("\\\\(?:u(.{4})|.)").matcher(text).replaceAll(escape -> Matcher.quoteReplacement(escape.group(1) == null
            ? escape.group().replace("\\/", "/").translateEscapes() : Character.toString(Integer.parseInt(escape.group(1), 16))));
    }
    static String answer(Map<String, String> message) {
        if (message.get("cmd").equals("start")) return "\"features\":[\"" + String.join("\",\"", OPERATIONS.keySet()) + "\"]";
        try { return "\"output\":{" + OPERATIONS.get(message.get("op")).seal(message) + "}"; }
        catch (Exception error) { System.err.println(error); return "\"error\":\"malformed\""; }
    }
    public static void main(String[] arguments) throws Exception {
        var input = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            var message = new HashMap<String, String>();
            for (var found = MEMBER.matcher(line); found.find(); ) message.put(found.group(1), unescaped(found.group(2)));
            if (message.get("cmd").equals("stop")) break;
            System.out.println("{\"seq\":" + message.get("seq") + "," + answer(message) + "}");
        }
    }
}
