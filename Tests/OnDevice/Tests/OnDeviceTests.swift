import OnDevice
import XCTest

/// XCTest, so that every Xcode shows it beside an app's own tests.
final class OnDeviceTests: XCTestCase {
    func testEveryPrimitiveAndEveryVector() throws {
        let check = try DeviceCheck.run()
        print(check.text)
        XCTAssertTrue(check.isPassed, check.text)
    }
}
