import Testing

@testable import Sync

@Suite struct StampTests {
  @Test func aClockFarOutsideIsCut() {
    #expect(Stamp(milliseconds: .min).rawValue == 0)
    #expect(Stamp(milliseconds: .max).rawValue == 1 << 61)
    #expect(Stamp(milliseconds: .max).next.rawValue < Stamp.limit)
  }

  @Test func theNextStampIsGreater() {
    let stamp = Stamp(milliseconds: 1_795_600_000_000)
    #expect(stamp < stamp.next)
    #expect(stamp.next.milliseconds == 1_795_600_000_000)
  }

  @Test func devicesAreComparedByTheirBytes() throws {
    let low = try #require(DeviceID(bytes: [0] + Array(repeating: 255, count: 15)))
    let high = try #require(DeviceID(bytes: [1] + Array(repeating: 0, count: 15)))
    #expect(low < high)
    #expect(low.bytes == [0] + Array(repeating: 255, count: 15))
    #expect(DeviceID(bytes: Array(repeating: 0, count: 15)) == nil)
  }
}
