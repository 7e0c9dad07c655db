import Screen
import Testing
import Words

@testable import Settings

struct ThemeSettingTests {
  private func read(_ text: String) throws -> Theme {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text).theme
  }

  @Test(arguments: Theme.Name.allCases)
  func aThemeIsNamed(_ name: Theme.Name) throws {
    #expect(try read("theme = \"\(name.rawValue)\"\n") == Theme(name))
    #expect(try read("[theme]\nbase = \"\(name.rawValue)\"\n") == Theme(name))
  }

  @Test func eachRoleHasALook() throws {
    let entries = Theme.Role.allCases.enumerated().map { "\($1.rawValue) = \"\($0) bold\"\n" }.joined()
    let theme = try read("[theme]\n" + entries)
    for (index, role) in Theme.Role.allCases.enumerated() {
      #expect(theme[role] == Style(foreground: .indexed(UInt8(index)), attributes: .bold), "\(role)")
    }
  }

  @Test func aNumberIsAColour() throws {
    #expect(try read("[theme]\nlink = 33\n")[.link] == Style(foreground: .indexed(33)))
  }

  @Test(arguments: [
    (
      "theme = \"solarized\"", 1,
      "theme: must be one of \"terminal\", \"dark\", \"light\", \"plain\", or a table"
    ),
    ("theme = 3", 1, "theme: must be one of"), ("[theme]\n\nbase = \"blue\"", 3, "base: must be one of"),
    ("[theme]\nlink = \"blueish\"", 2, "link: must be colours and attributes, such as"),
    ("[theme]\ntitle = \"bold\"\nlink = 256", 3, "link: must be"),
    ("[theme]\nlink = [1]", 2, "link: must be"),
    ("[theme]\nlinks = \"blue\"", 2, "links: is not a setting here; did you mean link? known are accent"),
  ])
  func aMistakeHasItsPlace(_ text: String, _ line: Int, _ said: String) throws {
    let error = try #require(throws: SettingsMistakes.self) { try read(text + "\n") }
    #expect(error.mistakes.count == 1)
    let sentence = error.mistakes.first?.sentence ?? ""
    #expect(sentence.hasPrefix("config.toml:\(line): \(said)"), "\(sentence)")
  }
}
