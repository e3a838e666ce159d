package closerkeys;

import java.time.DateTimeException;
import java.time.LocalDate;

/** A question as both partners know it. Questions repeat: places tell them apart. */
public final class Question {
    public final String id;
    /** `daily:YYYY-MM-DD` or `thread:ID`. */
    public final String place;

    public Question(String id, String place) throws Refused {
        this.id = Names.question(id);
        this.place = place;
        Refused.form(place.matches("daily:[0-9]{4}-[0-9]{2}-[0-9]{2}|thread:[A-Za-z0-9._:@+-]{1,128}"));
        Refused.form(isInThread() || isDay(place.substring(6)));
    }

    private static boolean isDay(String text) {
        try {
            return LocalDate.parse(text) != null;
        } catch (DateTimeException error) {
            return false;
        }
    }

    boolean isInThread() {
        return place.startsWith("thread:");
    }
}
