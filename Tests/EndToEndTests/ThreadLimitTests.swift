import Foundation
import TerminalHarness
import Testing

/// The system gives the program no further thread, since a limit of processes or memory is reached.
@Suite struct ThreadLimitTests {
  private let household: Household

  init() throws {
    household = try Household()
    try household.write("a.xml", rss("Team", [item(1, "One"), item(2, "Two"), item(3, "Three")]))
    try household.settings(sources: [(name: "team", url: "file://\(household.home)/a.xml", more: "")])
    #expect(try household.run("poll").exit == .status(0))
  }

  static let sentence = """
    no further thread can be started: Resource temporarily unavailable; end other programs, or raise the limits of processes and \
    memory (ulimit -u, ulimit -v)

    """

  /// Commands that need only the main thread, and the beginning of what each prints.
  private static let alone: [(words: String, output: String)] = [
    ("status", "● 3\n"), ("status --json", "{\"unseen\":true,\"unread\":3,"), ("list --limit 1", ""),
    ("show 2", "Two\n"), ("sources", "● team  3/3"), ("mark --star 2", ""), ("undo", "Undid: starred\n"),
    ("why team", "next poll: "), ("export", "<?xml"), ("push hello --source other", ""),
    ("mark --read 4", ""),
    ("push --hook {}", ""), ("hooks store", ""), ("check", "5 messages\n"),
  ]

  private func expect(_ run: ([String]) throws -> Ran) throws {
    for (words, output) in Self.alone {
      let ran = try run(words.split(separator: " ").map(String.init))
      #expect(ran.exit == .status(0), "\(words): \(ran.errors)")
      #expect(ran.output.hasPrefix(output), "\(words): \(ran.output)")
      #expect(ran.errors == "", "\(words)")
    }
    for words in [["poll", "--force"], ["status", "--watch"], ["add", "http://127.0.0.1:1/"], ["demo"]] {
      let ran = try run(words)
      #expect(ran.exit == .status(1), "\(words)")
      #expect(ran.errors.hasSuffix(Self.sentence), "\(words): \(ran.errors)")
    }
    // The message of the hook was stored, and the poll has changed nothing.
    #expect(try household.messages().count == 5)
    #expect(try household.run("poll", "--force", "team").output == "team: Nothing new\n")
  }

  /// - Parameter kibibytes: of address space.
  private func run(_ words: [String], within kibibytes: Int) throws -> Ran {
    try Running(
      "/bin/sh", ["-c", "ulimit -v \(kibibytes); exec \"$@\"", "sh", BuiltProduct.path("reddot")] + words,
      environment: household.environment
    ).waitForEnd()
  }

  @Test func withoutMemoryForStacksACommandRunsAloneOrSaysWhy() throws {
    // The needs of the program and its libraries differ from build to build. A stack is 8 MiB of address space.
    let step = 8 << 10
    let least = try stride(from: 4 * step, to: 1 << 22, by: step).first {
      try run(["show", "2"], within: $0).exit == .status(0)
    }
    try expect { words in try run(words, within: try #require(least) + 3 * step) }
  }

  @Test(.enabled(if: geteuid() == 0 && Nobody.isAvailable))
  func withoutProcessesACommandRunsAloneOrSaysWhy() throws {
    // The limit applies to a user, and other tests may run processes as the user `nobody`.
    let user = uid_t(100_000 + getpid() % 100_000)
    let files = FileManager.default.enumerator(atPath: household.home)?.compactMap { $0 as? String } ?? []
    for file in ["."] + files { #expect(lchown("\(household.home)/\(file)", user, user) == 0, "\(file)") }
    try expect { words in
      // dash calls the number of processes -p, bash -u.
      try Running(
        "/bin/sh",
        [
          "-c", "ulimit -p 1 2> /dev/null || ulimit -u 1; exec \"$@\"", "sh", "/usr/bin/setpriv",
          "--reuid=\(user)",
          "--regid=\(user)", "--clear-groups", BuiltProduct.path("reddot"),
        ] + words, environment: household.environment
      ).waitForEnd()
    }
  }
}
