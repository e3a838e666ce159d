import CloserFiles
import Testing

@Suite("A moment in words")
struct TimeTests {
    // By date(1) of GNU: date -u -d @SECONDS '+%F %H:%M UTC'
    @Test(
        "is the day and the minute that date(1) prints",
        arguments: [
            (0, "1970-01-01 00:00 UTC"), (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_799, "2000-02-29 23:59 UTC"), (1_709_164_800, "2024-02-29 00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"), (1_795_788_300, "2026-11-27 14:05 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"), (253_402_300_799, "9999-12-31 23:59 UTC"),
        ])
    func day(_ seconds: UInt64, _ text: String) { #expect(WallClock.text(seconds) == text) }
}
