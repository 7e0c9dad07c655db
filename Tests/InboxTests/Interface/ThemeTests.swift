import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The contrast of themes' colours, and the screen without colours.
struct ThemeTests {
  /// Roles that only decorate, or have a sign besides the colour.
  private static let decoration: Set<Theme.Role> = [.dot, .accent]

  struct Trial: CustomTestStringConvertible, Sendable {
    var theme: Theme.Name
    var role: Theme.Role
    var testDescription: String { "\(role.rawValue) in \(theme.rawValue)" }
  }

  static let trials = [Theme.Name.dark, .light].flatMap { theme in
    Theme.Role.allCases.map { Trial(theme: theme, role: $0) }
  }

  @Test(arguments: trials)
  func everyRoleHasContrastWithItsBackground(_ trial: Trial) throws {
    let style = Theme(trial.theme)[trial.role]
    let (letters, paper): (WCAGColor, WCAGColor) =
      trial.theme == .dark ? (.xtermsLetters, .black) : (.black, .white)
    let front = try WCAGColor(style.foreground, terminal: letters)
    let back = try WCAGColor(style.background, terminal: paper)
    let least = Self.decoration.contains(trial.role) ? 3 : 4.5
    let contrast = front.contrast(to: back)
    #expect(contrast >= least, "\(contrast)")
    // How dark "dim" is depends on the terminal.
    #expect(!style.attributes.contains(.dim))
  }

  @Test func withoutASettingTheTerminalsOwnColoursHold() {
    for role in Theme.Role.allCases {
      for color in [Theme()[role].foreground, Theme()[role].background] {
        switch color {
        case .terminal, .ansi: break
        case .indexed, .rgb: Issue.record("\(role): \(color)")
        }
      }
    }
  }

  private func stage(_ theme: Theme, hasColors: Bool = true) -> Stage {
    var options = InterfaceOptions(zone: Stage.utc)
    options.theme = theme
    options.hasColors = hasColors
    return Stage(columns: 120, rows: 40, options: options)
  }

  private func looks(_ stage: Stage) -> Set<Style> { Set(stage.frame.cells.map(\.style)) }

  @Test func whatIsSaidIsTheSameInEveryTheme() throws {
    let plain = stage(Theme(.plain))
    for name in Theme.Name.allCases {
      let themed = stage(Theme(name))
      #expect(themed.lines == plain.lines)
      #expect(themed.frame.cells.allSatisfy { $0.style.roles.isEmpty })
      #expect((looks(themed) == looks(plain)) == (name == .plain))
    }
  }

  @Test(arguments: Theme.Name.allCases)
  func aTerminalWithoutColoursHasAllAttributes(_ name: Theme.Name) {
    #expect(looks(stage(Theme(name), hasColors: false)) == looks(stage(Theme(.plain))))
  }

  @Test func settingsOverrideATheme() throws {
    let theme = Theme(
      .light,
      own: [
        .unread: Style(foreground: .rgb(1, 2, 3)),
        .selected: Style(foreground: .ansi(7), background: .ansi(4)),
      ])
    var stage = stage(theme)
    let messages = try #require(stage.state.layout.messages)
    /// Of the last letter of the message's row.
    func style(ofTitle title: String) throws -> Style {
      let rows = messages.rows.map { row in messages.columns.map { stage.frame[$0, row] } }
      let row = try #require(rows.first { $0.map(\.text).joined().contains(title) })
      return try #require(row.last { $0.base > 0x20 }).style
    }
    #expect(try style(ofTitle: "Deployment at") == Style(foreground: .rgb(1, 2, 3)))
    #expect(try style(ofTitle: "Tests done") == Style(foreground: .indexed(241)))
    try stage.press("j", "j")
    #expect(
      try style(ofTitle: "Deployment at") == Style(foreground: .ansi(7), background: .ansi(4)),
      "the selection's colours, and no others")
  }

  @Test func aTextsColoursAreThoseOfTheWholeScreen() {
    let paper = Style(foreground: .rgb(20, 20, 20), background: .rgb(250, 250, 240))
    let frame = stage(Theme(.light, own: [.text: paper])).frame
    #expect(frame.cells.allSatisfy { $0.style.background == paper.background })
  }

  @Test func severalRolesAreSeenTogether() {
    let theme = Theme(
      own: [.quote: Style(foreground: .ansi(2), attributes: .italic), .link: Style(foreground: .ansi(6))])
    let look = theme.look(of: Style(attributes: .bold, roles: [.quote, .link]))
    #expect(look == Style(foreground: .ansi(6), attributes: [.bold, .italic]))
    #expect(
      theme.look(of: Style(foreground: .ansi(1), roles: .link)).foreground == .ansi(1), "an author's own")
  }
}

/// The relative luminance of a colour (WCAG 2.2).
private struct WCAGColor {
  let luminance: Double

  static let black = WCAGColor(0, 0, 0)
  static let white = WCAGColor(255, 255, 255)
  static let xtermsLetters = WCAGColor(0xE5, 0xE5, 0xE5)

  init(_ red: Int, _ green: Int, _ blue: Int) {
    func linear(_ channel: Int) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The colours above 16, which are the same in all terminals.
  init(_ color: Color, terminal: WCAGColor) throws {
    switch color {
    case .terminal: self = terminal
    case .ansi: throw Unknown()
    case .rgb(let red, let green, let blue): self.init(Int(red), Int(green), Int(blue))
    case .indexed(let index):
      let index = Int(index)
      if index < 16 { throw Unknown() }
      if index >= 232 {
        let grey = 8 + 10 * (index - 232)
        self.init(grey, grey, grey)
      } else {
        let levels = [0, 95, 135, 175, 215, 255]
        self.init(levels[(index - 16) / 36], levels[(index - 16) / 6 % 6], levels[(index - 16) % 6])
      }
    }
  }

  struct Unknown: Error {}

  func contrast(to other: WCAGColor) -> Double {
    (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
  }
}
