import Foundation
import TerminalHarness
import Testing

/// A home directory in which the built program runs.
final class Household: Sendable {
  let home: String

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/reddot-home-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw HouseholdFailure("no directory: errno \(errno)") }
    home = String(cString: made)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: home)
    } catch {
      print("\(home) stays behind: \(error)")
    }
  }

  var settingsFile: String { "\(home)/.config/reddot/config.toml" }
  var database: String { "\(home)/.local/share/reddot/reddot.sqlite" }

  /// The whole environment of the program: no XDG variables, one zone, one locale.
  var environment: [String: String] {
    [
      "HOME": home, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
      // Swift's own crash report would take long.
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  // MARK: - Files

  /// Writes a file in the home directory, and the directories above it, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: Data) throws -> String {
    let path = name.hasPrefix("/") ? name : "\(home)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // In one step: the program may be reading it.
    try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
    return path
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

  /// Returns the settings without the comments at the beginning of a file that reddot made.
  func settingsBelowTheHead() throws -> String {
    let lines = try text(of: settingsFile).components(separatedBy: "\n")
    return lines.drop { $0.hasPrefix("#") || $0.isEmpty }.joined(separator: "\n")
  }

  func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Writes the settings: lines that come first, then the sources with the lines of their tables.
  func settings(_ lines: String = "", sources: [(name: String, url: String, more: String)]) throws {
    let tables = sources.map { name, url, more in
      "[[source]]\nname = \"\(name)\"\nurl = \"\(url)\"\n\(more)\n"
    }
    try write(settingsFile, lines + "\n" + tables.joined(separator: "\n"))
  }

  // MARK: - The program

  /// Adds a message that no key applies to, with a separate address.
  func pushNeighbour(_ title: String) throws {
    #expect(try run("push", title, "--url", "https://neighbour.example/\(title)").exit == .status(0))
  }

  func run(
    _ arguments: String..., input: String? = nil, environment more: [String: String] = [:]
  ) throws -> Ran {
    try run(arguments, input: input, environment: more)
  }

  func run(
    _ arguments: [String], input: String? = nil, environment more: [String: String] = [:]
  ) throws -> Ran {
    try start(arguments, input: input, environment: more).waitForEnd()
  }

  func start(
    _ arguments: [String], input: String? = nil, environment more: [String: String] = [:]
  ) throws -> Running {
    let standardInput =
      try input.map { try write(".standard-input-\(UUID().uuidString)", $0) } ?? "/dev/null"
    return try Running(
      BuiltProduct.path("reddot"), arguments, environment: environment.merging(more) { $1 },
      input: standardInput, keeping: self)
  }

  /// Opens the inbox in a terminal with a shell's prompt and title.
  func inbox(
    columns: Int = 80, rows: Int = 24, arguments: [String] = [], environment more: [String: String] = [:],
    hasWideSigns: Bool = false
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: columns, rows: rows, hasWideSigns: hasWideSigns)
    terminal.pretend("\u{1B}]2;shell\u{7}$ reddot\r\n")
    try terminal.start(
      BuiltProduct.path("reddot"), arguments, environment: environment.merging(more) { $1 }, keeping: self)
    return terminal
  }

  /// The objects of `list --json`, oldest options of the user included.
  func messages(_ arguments: String...) throws -> [[String: Any]] {
    try objects(["list", "--json"] + arguments)
  }

  /// The objects that a command prints, one to a line.
  func objects(_ arguments: [String]) throws -> [[String: Any]] {
    let ran = try run(arguments)
    guard ran.exit == .status(0) else { throw HouseholdFailure(ran.errors) }
    return try ran.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}

struct HouseholdFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
