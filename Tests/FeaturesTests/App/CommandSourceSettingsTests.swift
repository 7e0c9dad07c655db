import Foundation
import Messages
import Storage
import Testing

@testable import Settings

/// The settings of `command` sources.
struct CommandSourceSettingsTests {
  private func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
  }

  private func mistakes(_ text: String) -> [String] {
    do {
      _ = try read("[[source]]\nname = \"a\"\n" + text)
      return []
    } catch {
      return error.mistakes.map(\.sentence)
    }
  }

  @Test func aCommandNeedsNoAddress() throws {
    let settings = try read(
      """
      [[source]]
      name = "checks"
      kind = "command"
      command = ["./checks", "--token", "s3cret"]
      format = "nagios"
      [[source]]
      name = "disks"
      kind = "command"
      command = "df -h"
      """)
    let first = settings.sources[0].source.settings
    #expect(first.kind == .command && first.options.command == ["./checks", "--token", "s3cret"])
    #expect(first.options.format == "nagios")
    // This is the identity in the database and in `sources --json`.
    #expect(first.address.hasPrefix("command:./checks#") && !first.address.contains("s3cret"))
    let second = settings.sources[1].source.settings
    #expect(second.options.command == ["/bin/sh", "-c", "df -h"] && second.options.format == nil)
    #expect(SourceAddress.ofCommand(["./checks"]) == "command:./checks")
    #expect(SourceAddress.ofCommand(["a", "b c"]) != SourceAddress.ofCommand(["a", "b", "c"]))
  }

  @Test(arguments: [
    (
      "kind = \"command\"",
      ["config.toml:1: source[0]: source \"a\" needs a command, such as command = [\"./checks\"]"]
    ),
    (
      "kind = \"command\"\nurl = \"https://h/\"\ncommand = [\"a\"]",
      ["config.toml:4: url: is not for a source of kind \"command\": command specifies the program"]
    ),
    (
      "url = \"https://h/\"\ncommand = [\"a\"]",
      ["config.toml:4: command: is only for a source of kind \"command\", and this one is of kind \"feed\""]
    ),
    (
      "kind = \"local\"\nformat = \"lines\"",
      ["config.toml:4: format: is only for a source of kind \"command\", and this one is of kind \"local\""]
    ),
    (
      "kind = \"command\"\ncommand = [\"a\"]\nformat = \"xml\"",
      ["config.toml:5: format: must be one of \"items\", \"nagios\", \"lines\""]
    ),
    (
      "kind = \"command\"\ncommand = []",
      ["config.toml:4: command: must be a program with its arguments, such as [\"pass\", \"show\", \"team\"]"]
    ),
  ])
  func aMistakeHasItsLineAndPlace(_ text: String, _ said: [String]) {
    #expect(mistakes(text) == said)
  }

  @Test func whatIsAddedIsReadBackTheSame() throws {
    var entry = SourceEntry(source: ConfiguredSource(name: "a", kind: .command, address: ""))
    entry.source.settings.options.command = ["./checks", "a \"b\""]
    entry.source.settings.options.format = "lines"
    let lines = entry.lines()
    #expect(
      lines == [
        "name = \"a\"", "kind = \"command\"", "command = [\"./checks\", \"a \\\"b\\\"\"]",
        "format = \"lines\"",
      ])
    let read = try read((["[[source]]"] + lines).joined(separator: "\n"))
    #expect(read.sources[0].source.settings.options == entry.source.settings.options)
  }
}
