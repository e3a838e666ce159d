package closerkeys;

import java.util.regex.Pattern;

/** The texts that the server stores: a prefix, and bytes in base64. closer-keys-formats(7), TOKENS. */
enum Token {
    FIELD("enc:v1:", "[A-Za-z0-9+/]+={0,2}"),
    PLACED_FIELD("enc:v2:", "[A-Za-z0-9+/]+={0,2}"),
    SEALED("sealed:v1:", "[A-Za-z0-9_-]{80,}"),
    KEYBOX("keybox:v1:", "[A-Za-z0-9_-]{120,}"),
    PUBLIC_KEY("pub:v1:", "[A-Za-z0-9_-]+"),
    COMMITMENT("sha256:", "[A-Za-z0-9_-]{43}"),
    OFFER("offer:v1:", "[A-Za-z0-9_-]{64}"),
    REPLY("reply:v1:", "[A-Za-z0-9_-]{86,}"),
    GRANT("grant:v1:", "[A-Za-z0-9_-]{120,}");

    final String prefix;
    private final Pattern content;

    Token(String prefix, String content) {
        this.prefix = prefix;
        this.content = Pattern.compile(content);
    }

    String write(byte[] bytes) {
        return prefix + (isStandard() ? Base64Text.standard(bytes) : Base64Text.url(bytes));
    }

    byte[] read(String text) throws Refused {
        Refused.form(text.startsWith(prefix));
        String rest = text.substring(prefix.length());
        Refused.form(content.matcher(rest).matches());
        return isStandard() ? Base64Text.fromStandard(rest) : Base64Text.fromUrl(rest);
    }

    private boolean isStandard() {
        return this == FIELD || this == PLACED_FIELD;
    }
}
