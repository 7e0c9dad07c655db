import Foundation
import Messages
import Storage
import TerminalHarness
import Testing

/// A publisher of banners on loopback: a control file and its views.
struct Publisher {
  let server: LyingServer

  init() throws { server = try LyingServer() }

  /// Puts a view where banners find it; `v` is the first one that a banner shows.
  func view(_ html: String, as name: String = "v") {
    server.answer("/\(name).html", headers: ["Content-Type: text/html; charset=utf-8"], text: html)
  }

  /// A member of a control file: a banner of some height with views of this publisher.
  ///
  /// - Parameter height: in points; the views besides the entry take the full screen.
  func banner(
    _ name: String, conditions: String = "{}", height: Int? = 64, origin: String = "bottom",
    views: [String] = ["v"]
  ) -> String {
    let members = views.enumerated().map { index, view in
      let place = index == 0 && height != nil ? #", "height": \#(height ?? 0), "origin": "\#(origin)""# : ""
      return #""\#(view)": {"file": "\#(server.url("/\(view).html"))"\#(place)}"#
    }
    return """
      "\(name)": {"entry": "\(views[0])", "conditions": \(conditions),
        "views": {\(members.joined(separator: ", "))}}
      """
  }

  func control(_ banners: String..., at path: String = "/control.json", headers: [String] = []) {
    server.answer(path, headers: headers, text: "{\(banners.joined(separator: ",\n"))}")
  }

  /// A household that follows this publisher, with two messages in its list.
  ///
  /// - Parameters:
  ///   - lines: of the settings, before the sources.
  ///   - paths: of control files, by the names of their sources.
  func reader(
    _ lines: String = "", paths: [(name: String, path: String)] = [("team", "/control.json")]
  ) throws -> Household {
    let household = try Household()
    let poll = "animations = false\n\(lines)\n[poll]\ninitial_delay = \"1ms\"\ngrace = \"1ms\""
    try household.settings(
      poll, sources: paths.map { ($0.name, server.url($0.path), "kind = \"banners\"") })
    for title in ["Older", "Newer"] {
      let ran = try household.run("push", title)
      guard ran.exit == .status(0) else { throw HouseholdFailure(ran.errors) }
    }
    return household
  }
}

extension Household {
  /// The stored state of a banner.
  func memory(of banner: String, source: String = "team") throws -> BannerState? {
    let store = try Store(path: database, now: Date())
    let id = try #require(try store.sources.statuses().first { $0.source.name == source }).source.id
    let memory = try store.banners.all(of: id)[banner]
    try store.close()
    return memory
  }

  /// Opens the inbox, waits for some text, and leaves by `q`.
  func visit(until text: String) throws {
    let terminal = try inbox()
    try terminal.wait(forText: text)
    try terminal.leave()
  }
}

extension PseudoTerminal {
  /// Leaves the inbox by its key.
  func leave(sourceLocation: SourceLocation = #_sourceLocation) throws {
    send("q")
    #expect(try waitForExit() == .status(0), sourceLocation: sourceLocation)
  }

  /// Quits from any pane, with several attempts: `q` may only close an overlay, may be part of another key directly after an
  /// escape, or may be typed into a prompt, which a single escape closes.
  func leaveFromAnywhere(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var tries = 0
    try wait(for: "the end") {
      if !$0.read(for: 100) { $0.checkExit() }
      tries += 1
      if $0.exit == nil { $0.send(tries.isMultiple(of: 8) ? "\u{1B}" : "q") }
      return $0.exit != nil
    }
    #expect(exit == .status(0), sourceLocation: sourceLocation)
  }

  func row(of text: String) -> Int? { screen.position(of: text)?.row }

  /// The selected line of the list.
  var chosen: String {
    screen.lines.first { $0.contains("│▌") } ?? screen.lines.first { $0.contains("▌") } ?? ""
  }
}
