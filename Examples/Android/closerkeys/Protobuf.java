package closerkeys;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** The part of protobuf that keysets are made of: numbers of 32 bits, and bytes. Unknown fields are passed over. */
final class Protobuf {
    private static final int NUMBER = 0;
    private static final int BYTES = 2;

    private final List<Field> fields = new ArrayList<>();

    private static final class Field {
        final long name;
        final long number;
        final byte[] bytes;

        Field(long name, long number, byte[] bytes) {
            this.name = name;
            this.number = number;
            this.bytes = bytes;
        }
    }

    /** Refuses groups and fields of a fixed width. */
    static Protobuf read(byte[] message) throws Refused {
        Protobuf read = new Protobuf();
        for (int[] at = {0}; at[0] < message.length; ) {
            long tag = varint(message, at);
            long name = tag >>> 3;
            long value = varint(message, at);
            Refused.form(name > 0 && name < 1L << 29 && ((tag & 7) == NUMBER || (tag & 7) == BYTES));
            byte[] bytes = null;
            if ((tag & 7) == BYTES) {
                Refused.form(0 <= value && value <= message.length - at[0]);
                bytes = Bytes.slice(message, at[0], at[0] + (int) value);
                at[0] += (int) value;
            }
            read.fields.add(new Field(name, value, bytes));
        }
        return read;
    }

    /** Zero if the field is missing. */
    long number(int name) throws Refused {
        Field field = only(name);
        return field == null || field.bytes != null ? 0 : field.number;
    }

    /** Empty if the field is missing. */
    byte[] bytes(int name) throws Refused {
        Field field = only(name);
        return field == null || field.bytes == null ? new byte[0] : field.bytes;
    }

    Protobuf message(int name) throws Refused {
        return read(bytes(name));
    }

    List<byte[]> all(int name) {
        List<byte[]> all = new ArrayList<>();
        for (Field field : fields) if (field.name == name && field.bytes != null) all.add(field.bytes);
        return all;
    }

    private Field only(int name) throws Refused {
        Field found = null;
        for (Field field : fields) {
            if (field.name != name) continue;
            Refused.form(found == null && (field.bytes != null || field.number >>> 32 == 0));
            found = field;
        }
        return found;
    }

    /** At most ten bytes, of 64 bits. */
    private static long varint(byte[] message, int[] at) throws Refused {
        long number = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            Refused.form(at[0] < message.length);
            byte next = message[at[0]++];
            Refused.form(shift < 63 || (next & 0xff) <= 1);
            number |= (long) (next & 0x7f) << shift;
            if (next >= 0) return number;
        }
        throw new Refused(Refused.Reason.MALFORMED);
    }

    /** What is zero or empty is left out, as proto3 has it. */
    static final class Writer {
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();

        Writer number(int name, long number) {
            if (number == 0) return this;
            varint((long) name << 3 | NUMBER);
            varint(number);
            return this;
        }

        Writer bytes(int name, byte[] bytes) {
            return bytes.length == 0 ? this : message(name, bytes);
        }

        /** There, even if it is empty. */
        Writer message(int name, byte[] bytes) {
            varint((long) name << 3 | BYTES);
            varint(bytes.length);
            message.write(bytes, 0, bytes.length);
            return this;
        }

        byte[] done() {
            return message.toByteArray();
        }

        private void varint(long number) {
            for (long rest = number; ; rest >>>= 7) {
                boolean isLast = rest < 0x80;
                message.write((int) (rest & 0x7f) | (isLast ? 0 : 0x80));
                if (isLast) return;
            }
        }
    }
}
