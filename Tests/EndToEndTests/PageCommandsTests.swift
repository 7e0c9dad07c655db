import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The commands in the documentation are commands of the program, with options that it has.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PageCommandsTests {
  private static let folder = Project.folder.appending(
    path: "Sources/Programs/reddot/Documentation.docc")

  /// The blocks of a language in all pages.
  private static func blocks(_ language: String) throws -> [String] {
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".md")
    }
    return try pages.sorted().flatMap { page in
      try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        .components(separatedBy: "\n```\(language)\n").dropFirst().map {
          $0.components(separatedBy: "\n```")[0]
        }
    }
  }

  /// Lines of shell blocks that begin with the program's name, without their comments.
  private static func commands() throws -> [String] {
    try blocks("sh").flatMap { $0.components(separatedBy: "\n") }.filter { $0.hasPrefix("reddot ") }
      .map { String($0.replacing(#/ +# .*$/#, with: "")) }
  }

  @Test func everySettingsExampleIsWithoutMistake() throws {
    let examples = try Self.blocks("toml")
    let hub = examples.filter { $0.hasPrefix("[[hook]]") || $0.hasPrefix("listen = ") }
    #expect(examples.count - hub.count > 8 && hub.count > 1)
    let household = try Household()
    for example in examples where !hub.contains(example) {
      try household.write(household.settingsFile, example)
      let ran = try household.run("sources")
      #expect(ran.exit == .status(0) && !ran.errors.contains("config.toml"), "\(example)\n\(ran.errors)")
    }
    for example in hub {
      try household.write(household.settingsFile, example)
      let ran = try Running(
        BuiltProduct.path("reddot-hub"), ["check", "--config", household.settingsFile],
        environment: household.environment, keeping: household
      ).waitForEnd()
      #expect(ran.output.contains("settings  good"), "\(example)\n\(ran.errors)")
    }
  }

  @Test func everyCommandIsUnderstood() throws {
    let household = try Household()
    let program = URL(fileURLWithPath: BuiltProduct.path("reddot")).deletingLastPathComponent().path
    // The programs in the page's examples aren't on every machine.
    let make = try household.write("bin/make", "#!/bin/sh\n")
    chmod(make, 0o755)
    // Nothing listens there, so no request leaves the machine.
    let more = [
      "PATH": "\(program):\(household.home)/bin:/usr/bin:/bin", "http_proxy": "http://127.0.0.1:9",
      "https_proxy": "http://127.0.0.1:9",
    ]
    let commands = Set(try Self.commands())
    #expect(commands.count > 20)
    for command in commands.sorted() {
      let ran = try Running(
        "/bin/sh", ["-c", "cd; \(command.replacing("NAME", with: "local"))"],
        environment: household.environment.merging(more) { $1 }, input: "/dev/null", keeping: household
      ).waitForEnd()
      // 64 is wrong usage, and 127 a program that isn't there.
      #expect(ran.exit != .status(64) && ran.exit != .status(127), "\(command): \(ran.errors)")
    }
  }
}
