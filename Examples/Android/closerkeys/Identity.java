package closerkeys;

/** A device's P-256 keys: the primary is told to others, and older ones still open. */
final class Identity {
    private static final int LEAST = 33 + Aes.OVERHEAD;

    final Keyset keyset;

    private Identity(Keyset keyset) throws Refused {
        for (Keyset.Key key : keyset.enabled()) Refused.form(key.material instanceof EciesPrivateKey);
        this.keyset = keyset;
    }

    static Identity random() throws Refused {
        return new Identity(Keyset.of(Keyset.Key.enabled(Bytes.randomId(), EciesPrivateKey.random())));
    }

    /** A binary keyset, such as Tink wrote it. */
    static Identity read(byte[] binary) throws Refused {
        return new Identity(Keyset.readOwn(binary));
    }

    PublicKey publicKey() throws Refused {
        return PublicKey.of(keyset.primaryId, primary().publicKey);
    }

    EciesPrivateKey primary() {
        return (EciesPrivateKey) keyset.primary().material;
    }

    byte[] open(byte[] box, byte[] context) throws Refused {
        PublicKey.checkContext(context);
        return keyset.open(box, context, LEAST).plaintext;
    }

    byte[] openKeybox(String token, byte[] context) throws Refused {
        return open(Token.KEYBOX.read(token), context);
    }
}
