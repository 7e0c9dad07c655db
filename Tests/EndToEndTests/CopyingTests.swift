import Foundation
import TerminalHarness
import Testing

/// `y` copies an address.
@Suite struct CopyingTests {
  private let household: Household
  private let address = "https://one.example/"

  init() throws {
    household = try Household()
    try household.pushNeighbour("Older")
    #expect(try household.run("push", "Alpha", "--url", address).exit == .status(0))
    try household.pushNeighbour("Newer")
  }

  private func isSent(_ terminal: PseudoTerminal) -> Bool {
    let base64 = Data(address.utf8).base64EncodedString()
    return String(decoding: terminal.bytes, as: UTF8.self).contains(/\e\]52;c?;/.ignoresCase())
      && String(decoding: terminal.bytes, as: UTF8.self).contains(base64)
  }

  @Test func theTerminalGetsIt() throws {
    let terminal = try household.inbox(environment: ["TERM": "xterm-256color"])
    try terminal.wait(forText: "Alpha")
    terminal.send("jy")
    try terminal.wait(forText: "Copied")
    #expect(isSent(terminal))
  }

  private func session() throws -> TmuxSession {
    let tmux = try TmuxSession(
      columns: 80, rows: 24, program: BuiltProduct.path("reddot"), environment: household.environment)
    try tmux.set("set-clipboard", to: "external")
    try tmux.wait(forText: "Alpha")
    return tmux
  }

  /// tmux ignores what programs send to the clipboard, as it does by default.
  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func insideTmuxTheTerminalAroundItGetsIt() throws {
    let tmux = try session()
    let terminal = try tmux.attach()
    try terminal.wait(forText: "Alpha")
    terminal.send("jy")
    try terminal.wait(forText: "Copied")
    try terminal.wait(for: "the clipboard", until: isSent)
    #expect(try tmux.buffer() == address)
  }

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func whereNoTerminalGetsItTheAddressIsShown() throws {
    let tmux = try session()
    // A console without a clipboard.
    let terminal = try tmux.attach(type: "linux")
    try terminal.wait(forText: "Alpha")
    terminal.send("jy")
    try terminal.wait(forText: address)
    #expect(!terminal.screen.text.contains("Copied"))
    #expect(try tmux.buffer() == nil)
  }
}
