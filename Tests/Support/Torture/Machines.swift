import Foundation

/// Three machines of a user that synchronise through a folder. The last one uses `reddot sync serve`.
struct Machines {
  let all: [Household]
  /// The number of items in each of the two feeds.
  let items = 60
  /// The source of pushes that all machines share.
  static let shared = "alerts"

  private static let limit = "serve-seconds"

  init() throws {
    all = try ["laptop", "desktop", "server"].map { name in
      try Household(
        settings: """
          [[source]]
          name = "\(Self.shared)"
          kind = "local"
          shared = true
          [sync]
          name = "\(name)"

          """)
    }
  }

  func remove() {
    for household in all { household.remove() }
  }

  /// Returns the machine that marks a message, or `nil` for all of them.
  static func owner(of message: ListedMessage) -> Int? {
    switch message.source {
    case "board": Int(message.remoteID).map { $0 % 3 }
    case shared: message.remoteID.split(separator: "-").first.flatMap { Int($0) }
    case _: nil
    }
  }

  /// Polls once, and sets up synchronisation on all machines.
  func join() throws {
    let folder = "\(all[0].home)/place"
    var key = ""
    for household in all {
      _ = try done(household, ["poll", "--force"])
      _ = try done(household, key.isEmpty ? ["sync", "init", folder] : ["sync", "join", folder, key])
      if key.isEmpty { key = try done(household, ["sync", "key"]).filter { !$0.isWhitespace } }
    }
    guard let last = all.last else { return }
    let script = """
      exec timeout -s KILL "$(cat '\(last.home)/\(Self.limit)')" '\(last.program)' sync serve '\(folder)'

      """
    try Data(script.utf8).write(to: URL(filePath: "\(last.home)/serve"))
    let settings = try String(contentsOfFile: last.settingsFile, encoding: .utf8)
    let served = settings.replacing(/place = .*/, with: "place = [\"/bin/sh\", \"\(last.home)/serve\"]")
    guard served != settings else { throw Unusable("\(last.settingsFile) names no place") }
    try Data(served.utf8).write(to: URL(filePath: last.settingsFile), options: .atomic)
  }

  private func done(_ household: Household, _ command: [String]) throws -> String {
    let ran = try household.run(command)
    guard ran.isDone else { throw Unusable("\(command): \(ran.errors)") }
    return ran.output
  }

  /// Makes `reddot sync serve` be killed after so long a time, or never for `nil`.
  func endServe(after time: Duration?) throws {
    guard let last = all.last else { return }
    let seconds = time.map { max($0 / .seconds(1), 0.001) } ?? 0
    try Data(String(format: "%.3f", seconds).utf8).write(
      to: URL(filePath: "\(last.home)/\(Self.limit)"), options: .atomic)
  }

  static func saysThatServeEnded(_ ran: Household.Ran) -> Bool {
    ran.errors.hasPrefix("reddot: /bin/sh ended: ")
  }

  /// Compares a machine that has synchronised with the first one, and checks that no acts are waiting.
  func problems(of household: Household) throws -> [String] {
    var problems: [String] = []
    let (there, here) = (try all[0].everything(), try household.everything())
    for key in Set(there.keys).union(here.keys) where there[key] != here[key] {
      problems.append(
        "\(key) is \(here[key] ?? "not there"), and on the first machine \(there[key] ?? "not there")")
    }
    let (theirs, ours) = (try all[0].reminders(), try household.reminders())
    if ours != theirs { problems.append("reminders are \(ours), and on the first machine \(theirs)") }
    let again = try household.run(["sync"])
    if again.output != "Nothing new.\n" || !again.errors.isEmpty {
      problems.append("a further synchronisation says \(again.output)\(again.errors)")
    }
    let status = try done(household, ["sync", "status"])
    let wrong = ["wait ", "waits ", "arrived", "ahead", "Not followed"].filter { status.contains($0) }
    if !status.contains("; nothing waits.") || !wrong.isEmpty {
      problems.append("sync status says \(status)")
    }
    return problems
  }
}
