import Foundation
import Testing

/// `Resources/check-prose`: only added lines are checked.
struct ProseCheckTests {
  private static let bad = "/// What was said is told anew."

  /// A repository in a temporary folder, with the check and an old file that reads badly.
  private struct Repository {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "prose-\(UUID().uuidString)")
      for name in ["Sources/Old", "Resources"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      for name in ["Resources/check-prose", "Resources/prosecheck.py"] {
        try FileManager.default.copyItem(
          at: LayeringTests.root.appending(path: name), to: folder.appending(path: name))
      }
      try write(
        "Sources/Old/Old.swift", [ProseCheckTests.bad, "let old = 1", "let older = 2", "let oldest = 3"])
      try run("git init -q . && git add -A && git commit -q -m Base")
    }

    func write(_ path: String, _ lines: [String]) throws {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: path))
    }

    @discardableResult
    func run(_ script: String) throws -> (status: Int32, output: String) {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", script]
      process.currentDirectoryURL = folder
      // Without the user's own settings of git.
      process.environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
      ]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, output)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  @Test func oldLinesAreNotChecked() throws {
    let repository = try Repository()
    defer { repository.remove() }
    #expect(try repository.run("Resources/check-prose") == (0, ""))
    // An added line and a new name change nothing.
    try repository.write(
      "Sources/Old/Old.swift", ["let new = 0", Self.bad, "let old = 1", "let older = 2", "let oldest = 3"])
    try repository.run(
      "git mv Sources/Old/Old.swift Sources/Old/Renamed.swift && git commit -q -a -m Renamed")
    #expect(try repository.run("Resources/check-prose") == (0, ""))
    // Nor does a move to another file; a copy is new.
    try repository.write("Sources/Old/Renamed.swift", ["let new = 0", "let old = 1", "let older = 2"])
    try repository.write("Sources/Old/Other.swift", [Self.bad, "let oldest = 3"])
    #expect(try repository.run("Resources/check-prose") == (0, ""))
    try repository.write("Sources/Old/Another.swift", [Self.bad])
    #expect(try repository.run("Resources/check-prose").status == 1)
  }

  @Test func aBadSentenceInAnAddedLineIsFound() throws {
    let repository = try Repository()
    defer { repository.remove() }
    // In a committed line, in an uncommitted one, and in a file that git does not know.
    try repository.write(
      "Sources/Old/Old.swift",
      [Self.bad, "let old = 1", "let older = 2", "let oldest = 3", Self.bad, "let new = 4"])
    try repository.run("git commit -q -a -m Committed")
    try repository.write("README.md", ["The title is told anew."])
    try repository.run("git add README.md")
    try repository.write("Sources/Old/New.swift", ["let a = 1", "let b = 2", Self.bad, "let c = 3"])
    let (status, output) = try repository.run("Resources/check-prose")
    #expect(status == 1)
    #expect(output.contains("Sources/Old/Old.swift:5: [what-start]"))
    #expect(!output.contains("Sources/Old/Old.swift:1:"))
    #expect(output.contains("README.md:1: [anew]"))
    #expect(output.contains("Sources/Old/New.swift:3: [told]"))
    try repository.write("README.md", ["The title is shown again."])
    try repository.run("git checkout -q HEAD~1 -- Sources && rm Sources/Old/New.swift")
    #expect(try repository.run("Resources/check-prose") == (0, ""))
  }

  @Test func withoutItsBaseItChecksNothing() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.write("README.md", ["The title is told anew."])
    try repository.run("git add README.md && git commit -q -m Added")
    try repository.run("git clone -q --depth 1 file://$PWD shallow")
    let shallow = try repository.run("shallow/Resources/check-prose")
    #expect(shallow.status == 0)
    #expect(shallow.output.contains("this is a shallow clone"))
    let alone = try repository.run("rm -rf .git shallow && python3 Resources/prosecheck.py --added")
    #expect(alone.status == 0)
    #expect(alone.output.contains("nothing is checked"))
  }
}
