import Foundation
import Testing

/// `Resources/check-prose`, which checks all sentences of the sources and the pages, and the comments of the tests.
struct ProseCheckTests {
  private static let bad = "/// What was said is told anew."

  /// A project in a temporary folder that contains only the check.
  private struct Project {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "prose-\(UUID().uuidString)")
      for name in ["Resources/en.lproj", "Sources/Old", "Tests/OldTests"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      for name in ["Resources/check-prose", "Resources/prosecheck.py"] {
        try FileManager.default.copyItem(
          at: LayeringTests.root.appending(path: name), to: folder.appending(path: name))
      }
    }

    func write(_ path: String, _ lines: [String]) throws {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: path))
    }

    func check() throws -> (status: Int32, output: String) {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "Resources/check-prose"]
      process.currentDirectoryURL = folder
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

  @Test func aBadSentenceIsFoundInEveryFolder() throws {
    let project = try Project()
    defer { project.remove() }
    try project.write("Sources/Old/Old.swift", ["/// The first line.", "let title = \"The title\""])
    #expect(try project.check() == (0, ""))
    try project.write("Sources/Old/Old.swift", ["let old = 1", Self.bad, "let older = 2"])
    try project.write("Tests/OldTests/OldTests.swift", [Self.bad, "let old = 1"])
    try project.write("README.md", ["The title is told anew."])
    try project.write("Resources/en.lproj/Localizable.strings", ["\"title\" = \"The title is told anew.\";"])
    let (status, output) = try project.check()
    #expect(status == 1)
    for place in [
      "Sources/Old/Old.swift:2: [what-start]", "Tests/OldTests/OldTests.swift:1: [told]",
      "README.md:1: [anew]", "Resources/en.lproj/Localizable.strings:1: [anew]",
    ] {
      #expect(output.contains(place), "\(place)")
    }
  }

  /// Strings of tests are input, often on purpose in other words.
  @Test func onlyTheCommentsOfTestsAreChecked() throws {
    let project = try Project()
    defer { project.remove() }
    try project.write("Tests/OldTests/OldTests.swift", ["let old = \"The title is told anew.\""])
    #expect(try project.check() == (0, ""))
    try project.write("Sources/Old/Old.swift", ["let old = \"The title is told anew.\""])
    #expect(try project.check().status == 1)
  }

  @Test func anExceptionNeedsAReason() throws {
    let project = try Project()
    defer { project.remove() }
    let line = "let old = \"The title is told anew.\""
    try project.write("Sources/Old/Old.swift", ["\(line)  // prose:ok"])
    #expect(try project.check().status == 1)
    try project.write("Sources/Old/Old.swift", ["\(line)  // prose:ok: a quotation"])
    #expect(try project.check() == (0, ""))
  }
}
