import Foundation
import TerminalHarness
import Testing

/// The event that ends the inbox.
enum WayOut: Sendable {
  case keys(String), signal(Int32)

  static let all: [WayOut] = [.keys("q"), .keys("\u{3}"), .signal(SIGTERM), .signal(SIGHUP), .signal(SIGINT)]

  /// How its process ends then.
  var exit: PseudoTerminal.Exit {
    switch self {
    case .keys("\u{3}"): .signal(SIGINT)
    case .keys: .status(0)
    case .signal(let signal): .signal(signal)
    }
  }
}

extension PseudoTerminal {
  func leave(by way: WayOut) {
    switch way {
    case .keys(let keys): send(keys)
    case .signal(let signal): self.signal(signal)
    }
  }

  /// Everything that a program may change is as before.
  func expectRestored(_ before: Modes, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(modes == before, sourceLocation: sourceLocation)
    #expect(!screen.isAlternate, sourceLocation: sourceLocation)
    #expect(screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(!screen.isKeypadApplication, sourceLocation: sourceLocation)
    #expect(screen.modes == [7] && !screen.isUpdating, sourceLocation: sourceLocation)
    #expect(screen.title == "shell", sourceLocation: sourceLocation)
    #expect(screen.unknown == [], sourceLocation: sourceLocation)
  }
}
