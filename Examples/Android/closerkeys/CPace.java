package closerkeys;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;

/** CPace, suite CPACE-RISTR255-SHA512, initiator and responder: draft-irtf-cfrg-cpace-21, and nothing of ours. */
final class CPace {
    private static final byte[] NAME = Bytes.utf8("CPaceRistretto255");
    private static final int BLOCK = 128;
    private static final BigInteger ORDER =
        BigInteger.ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));

    private final Ristretto255 group;

    CPace(Ristretto255 group) {
        this.group = group;
    }

    /** A share, and what its maker says besides. */
    static final class Side {
        final byte[] share;
        final byte[] data;

        Side(byte[] share, byte[] data) {
            this.share = share;
            this.data = data;
        }
    }

    /** Zeros fill up the first block of SHA-512; the byte that counts them is part of it. */
    byte[] generator(byte[] password, byte[] channel, byte[] session) {
        byte[] head = lengthValues(NAME, password);
        byte[] zeros = new byte[Math.max(0, BLOCK - 1 - head.length)];
        return group.fromHash(Hash.sha512(Bytes.concat(head, lengthValues(zeros, channel, session))));
    }

    byte[] newScalar() {
        return group.randomScalar();
    }

    byte[] multiply(byte[] scalar, byte[] element) throws Refused {
        checkScalar(scalar);
        byte[] product = group.multiply(scalar, element);
        Refused.form(product != null);
        return product;
    }

    /**
     * A share of somebody else's. libsodium before 1.0.19 takes elements with bit 255 set, and every version takes the
     * identity, which is 32 zeros.
     */
    void checkShare(byte[] share) throws Refused {
        Refused.form(share.length == 32 && share[31] >= 0 && !Bytes.areEqual(share, new byte[32]));
        Refused.form(group.isValid(share));
    }

    static byte[] sessionKey(byte[] session, byte[] product, Side initiator, Side responder) {
        return Hash.sha512(Bytes.concat(
            lengthValues(Bytes.concat(NAME, Bytes.utf8("_ISK")), session, product),
            lengthValues(initiator.share, initiator.data), lengthValues(responder.share, responder.data)));
    }

    /** Each item behind its count of bytes, in LEB128. */
    private static byte[] lengthValues(byte[]... items) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] item : items) {
            int count = item.length;
            for (; count >= 0x80; count >>>= 7) all.write(count & 0x7f | 0x80);
            all.write(count);
            all.write(item, 0, item.length);
        }
        return all.toByteArray();
    }

    private static void checkScalar(byte[] scalar) throws Refused {
        byte[] reversed = new byte[scalar.length];
        for (int index = 0; index < scalar.length; index++) reversed[index] = scalar[scalar.length - 1 - index];
        BigInteger number = new BigInteger(1, reversed);
        Refused.form(scalar.length == 32 && number.signum() > 0 && number.compareTo(ORDER) < 0);
    }
}
