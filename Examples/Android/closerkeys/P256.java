package closerkeys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** P-256: the platform agrees, and BouncyCastle reads points. Scalars and coordinates have 32 bytes, big-endian. */
final class P256 {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByName("P-256");

    private P256() {}

    /** A point that is on the curve. */
    static final class Point {
        final byte[] x;
        final byte[] y;
        private final ECPoint point;

        private Point(ECPoint point) {
            this.point = point.normalize();
            x = this.point.getAffineXCoord().getEncoded();
            y = this.point.getAffineYCoord().getEncoded();
        }

        /** 65 bytes that begin with 04, or 33 that begin with 02 or 03. SEC 1, section 2.3.4. */
        static Point read(byte[] encoded) throws Refused {
            boolean isWhole = encoded.length == 65 && encoded[0] == 4;
            Refused.form(isWhole || encoded.length == 33 && (encoded[0] == 2 || encoded[0] == 3));
            try {
                return new Point(CURVE.getCurve().decodePoint(encoded));
            } catch (IllegalArgumentException error) {
                throw new Refused(Refused.Reason.MALFORMED);
            }
        }

        static Point of(byte[] scalar) throws Refused {
            BigInteger number = new BigInteger(1, scalar);
            Refused.form(number.signum() > 0 && number.compareTo(CURVE.getN()) < 0);
            return new Point(new FixedPointCombMultiplier().multiply(CURVE.getG(), number));
        }

        byte[] encoded(boolean isCompressed) {
            return point.getEncoded(isCompressed);
        }

        boolean isSameAs(Point other) {
            return Arrays.equals(x, other.x) && Arrays.equals(y, other.y);
        }
    }

    static byte[] newScalar() {
        return padded(((ECPrivateKey) newPair().getPrivate()).getS(), 32);
    }

    /** The x coordinate of the product, with its leading zeros. */
    static byte[] agree(byte[] scalar, Point theirs) {
        try {
            ECParameterSpec curve = ((ECPrivateKey) newPair().getPrivate()).getParams();
            java.security.spec.ECPoint point =
                new java.security.spec.ECPoint(new BigInteger(1, theirs.x), new BigInteger(1, theirs.y));
            KeyFactory factory = KeyFactory.getInstance("EC");
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
            agreement.init(factory.generatePrivate(new ECPrivateKeySpec(new BigInteger(1, scalar), curve)));
            agreement.doPhase(factory.generatePublic(new ECPublicKeySpec(point, curve)), true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Big-endian, with leading zeros up to a count of bytes that holds it. */
    static byte[] padded(BigInteger number, int count) {
        byte[] bytes = number.toByteArray();
        int extra = Math.max(0, bytes.length - count);
        byte[] padded = new byte[count];
        System.arraycopy(bytes, extra, padded, count - (bytes.length - extra), bytes.length - extra);
        return padded;
    }

    private static KeyPair newPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
