import Foundation
import Glibc

/// A home directory with settings and two feeds, in which the program runs.
final class Household: Sendable {
  let home: String
  let program: String

  /// - Parameter more: settings besides those of its feeds, such as other sources.
  init(settings more: String = "") throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/reddot-torture-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Unusable("no directory: errno \(errno)") }
    home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    program = Bundle.main.bundleURL.appendingPathComponent("reddot").path
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw Unusable("\(program) is missing; build it first: swift build")
    }
    try FileManager.default.createDirectory(
      atPath: "\(home)/.config/reddot", withIntermediateDirectories: true)
    let settings = """
      [[source]]
      name = "team"
      url = "\(home)/team.xml"
      sync_as = "team"
      [[source]]
      name = "board"
      kind = "native"
      url = "\(home)/board.json"
      sync_as = "board"

      """
    // The file contains tokens.
    guard
      FileManager.default.createFile(
        atPath: settingsFile, contents: Data((settings + more).utf8),
        attributes: [.posixPermissions: 0o600])
    else { throw Unusable("no settings in \(home)") }
    try publish(0)
  }

  var settingsFile: String { "\(home)/.config/reddot/config.toml" }
  var database: String { "\(home)/.local/share/reddot/reddot.sqlite" }

  func remove() {
    do {
      try FileManager.default.removeItem(atPath: home)
    } catch {
      print("\(home) stays behind: \(error)")
    }
  }

  /// Sets the number of items in both feeds.
  func publish(_ count: Int) throws {
    let numbers = Array(stride(from: 1, through: count, by: 1))
    let items = numbers.reversed().map {
      "<item><guid isPermaLink=\"false\">\($0)</guid><title>Item \($0)</title></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>Team</title>\(items.joined())</channel></rss>"
    try Data(feed.utf8).write(to: URL(fileURLWithPath: "\(home)/team.xml"), options: .atomic)
    let list = numbers.map { "{\"id\": \($0), \"title\": \"Note \($0)\"}" }
    let native = "{\"list\": [\(list.joined(separator: ","))]}"
    try Data(native.utf8).write(to: URL(fileURLWithPath: "\(home)/board.json"), options: .atomic)
  }

  /// The result of a command.
  struct Ran {
    /// The exit status; `nil` if the command was killed.
    var status: Int32?
    var output: String
    var errors: String
    var duration: Duration

    var isDone: Bool { status == 0 }
  }

  /// Runs a command to its end, or until it is killed.
  func run(_ arguments: [String], killedAfter delay: Duration? = nil) throws -> Ran {
    let name = UUID().uuidString
    let (output, errors) = ("\(home)/\(name).out", "\(home)/\(name).err")
    let start = ContinuousClock.now
    let process = try self.start(arguments, output: output, errors: errors)
    var state: Int32 = 0
    if let delay {
      let parts = delay.components
      var wait = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
      nanosleep(&wait, nil)
      kill(process, SIGKILL)
    }
    while waitpid(process, &state, 0) < 0 {
      guard errno == EINTR else { throw Unusable("waitpid: errno \(errno)") }
    }
    defer {
      unlink(output)
      unlink(errors)
    }
    let wasKilled = state & 0x7F == SIGKILL
    return Ran(
      status: wasKilled ? nil : state & 0x7F == 0 ? state >> 8 & 0xFF : 128 + state & 0x7F,
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8), duration: ContinuousClock.now - start)
  }

  private func start(_ arguments: [String], output: String, errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let words = ([program] + arguments).map { strdup($0) }
    let environment = ["HOME=\(home)", "TZ=UTC", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    let variables = environment.map { strdup($0) }
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, words + [nil], variables + [nil])
    guard code == 0 else { throw Unusable("\(program) does not start: errno \(code)") }
    return process
  }

  /// Returns the objects that `list --json` prints.
  private func objects(_ options: [String]) throws -> [[String: Any]] {
    let ran = try run(["list", "--json", "--limit", "1000000"] + options)
    guard ran.isDone else { throw Unusable("list: \(ran.errors)") }
    return try ran.output.split(separator: "\n").map { line in
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        throw Unusable("list printed \(line)")
      }
      return object
    }
  }

  /// Returns all messages, in lists or hidden, by their names in the ledger, without the values that differ between
  /// machines.
  func everything() throws -> [String: String] {
    var messages: [String: String] = [:]
    for var object in try objects(["--query", "in:all"]) {
      // These values differ between machines.
      for name in ["id", "received"] { object[name] = nil }
      let text = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      messages["\(object["source"] ?? "")/\(object["remote_id"] ?? "")", default: ""] +=
        String(decoding: text, as: UTF8.self)
    }
    return messages
  }

  /// Returns the future reminders, without their numbers.
  func reminders() throws -> [String] {
    let ran = try run(["remind", "--list"])
    guard ran.isDone else { throw Unusable("remind --list: \(ran.errors)") }
    return ran.output.split(separator: "\n").map { String($0.drop { $0 != " " }) }.sorted()
  }

  /// Returns the messages of the lists or, with an option of `list`, others.
  func listed(_ options: String...) throws -> [ListedMessage] {
    try objects(options).map { object in
      guard let id = object["id"] as? Int, let source = object["source"] as? String,
        let remoteID = object["remote_id"] as? String, let isUnread = object["unread"] as? Bool,
        let isStarred = object["starred"] as? Bool, let isDismissed = object["dismissed"] as? Bool
      else { throw Unusable("list printed \(object)") }
      return ListedMessage(
        id: id, source: source, remoteID: remoteID, isUnread: isUnread, isStarred: isStarred,
        isDismissed: isDismissed)
    }
  }
}
