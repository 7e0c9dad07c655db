import TerminalHarness
import Testing

/// The probe in its own terminal, with the prompt and title of a shell from before.
func startedProbe(
  columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
  cell: (width: Int, height: Int)? = nil, hasWideSigns: Bool = false
) throws -> PseudoTerminal {
  let started = try PseudoTerminal(columns: columns, rows: rows, cell: cell, hasWideSigns: hasWideSigns)
  started.pretend("\u{1B}]2;shell\u{7}$ probe\r\n")
  try started.start(BuiltProduct.path("TerminalProbe"), environment: environment)
  try started.wait(for: "the first frame") { $0.screen.lines[0].hasPrefix("p") }
  return started
}

extension PseudoTerminal {
  /// Everything that a program may change is as before.
  func expectRestored(_ before: Modes, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(modes == before, sourceLocation: sourceLocation)
    #expect(!screen.isAlternate, sourceLocation: sourceLocation)
    #expect(screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(!screen.isKeypadApplication, sourceLocation: sourceLocation)
    #expect(screen.modes == [7], sourceLocation: sourceLocation)
    #expect(screen.title == "shell", sourceLocation: sourceLocation)
    #expect(screen.lines[0] == "$ probe", sourceLocation: sourceLocation)
    #expect(screen.unknown == [], sourceLocation: sourceLocation)
  }
}
