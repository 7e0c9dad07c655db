import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Transport

struct SilenceTimerTests {
  private final class Fired: Sendable {
    let count = Mutex(0)
    var times: Int { count.withLock { $0 } }
  }

  @Test func itFiresOnceAfterTheWholeSilence() {
    let loop = EmbeddedEventLoop()
    let fired = Fired()
    let timer = SilenceTimer(limit: .seconds(180), loop: loop) { fired.count.withLock { $0 += 1 } }
    loop.advanceTime(by: .seconds(179))
    #expect(fired.times == 0 && !timer.isOver)
    loop.advanceTime(by: .seconds(1))
    #expect(fired.times == 1 && timer.isOver)
    loop.advanceTime(by: .hours(1))
    #expect(fired.times == 1)
  }

  @Test func aServerThatIsHeardStays() {
    let loop = EmbeddedEventLoop()
    let fired = Fired()
    let timer = SilenceTimer(limit: .seconds(180), loop: loop) { fired.count.withLock { $0 += 1 } }
    for _ in 0..<100 {
      loop.advanceTime(by: .seconds(45))
      timer.heard()
    }
    #expect(fired.times == 0)
    loop.advanceTime(by: .seconds(179))
    #expect(fired.times == 0)
    loop.advanceTime(by: .seconds(1))
    #expect(fired.times == 1)
  }

  @Test func nothingIsLeftAfterTheEnd() {
    let loop = EmbeddedEventLoop()
    let fired = Fired()
    let timer = SilenceTimer(limit: .seconds(180), loop: loop) { fired.count.withLock { $0 += 1 } }
    timer.end()
    loop.advanceTime(by: .hours(1))
    #expect(fired.times == 0 && !timer.isOver)
  }
}
