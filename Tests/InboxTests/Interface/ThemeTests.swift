import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The contrast of themes' colours, and the screen without colours.
struct ThemeTests {
  /// Roles that only decorate, or have a sign besides the colour.
  private static let decoration: Set<Theme.Role> = [.accent]

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

  private func stage(
    _ theme: Theme, colors: ColorDepth = .direct, background: Background? = nil
  ) -> Stage {
    var options = InterfaceOptions(zone: Stage.utc)
    options.theme = theme
    options.colors = colors
    options.background = background
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
    #expect(looks(stage(Theme(name), colors: .none)) == looks(stage(Theme(.plain))))
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
    /// Returns the style of the last letter of the message's row.
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

  // MARK: The selected row

  struct Ground: CustomTestStringConvertible, Sendable {
    var theme = Theme.Name.terminal
    var colors = ColorDepth.indexed
    var background: Background?
    /// The number of its colour, or `nil` if the row is reversed.
    var color: UInt8?
    var testDescription: String { "\(theme) \(colors) \(background.map { "\($0)" } ?? "unknown")" }
  }

  static let grounds =
    [ColorDepth.indexed, .direct].flatMap { colors in
      [
        Ground(theme: .dark, colors: colors, color: 236), Ground(theme: .light, colors: colors, color: 254),
        Ground(colors: colors, background: .dark, color: 236),
        Ground(colors: colors, background: .light, color: 254),
        // The theme is for another background.
        Ground(theme: .dark, colors: colors, background: .light, color: 236),
        Ground(colors: colors), Ground(theme: .plain, colors: colors, background: .dark),
      ]
    }
    + [ColorDepth.sixteen, .eight, .none].flatMap { colors in
      Theme.Name.allCases.map { Ground(theme: $0, colors: colors, background: .dark) }
    }

  @Test(arguments: grounds, [(160, 45), (80, 24), (40, 10)])
  func theSelectedRowHasATintedGroundOrIsReversed(_ ground: Ground, size: (Int, Int)) throws {
    var store = ModelStore()
    store.addSource("blog")
    for number in 0..<3 {
      store.add("Number \(number).", age: Double(number)) {
        $0.isStarred = true
        $0.content.priority = Priority(5)
      }
    }
    var options = InterfaceOptions(zone: Stage.utc)
    (options.theme, options.colors, options.background) = (
      Theme(ground.theme), ground.colors, ground.background
    )
    var stage = Stage(store, columns: size.0, rows: size.1, options: options)
    try stage.press("j")
    let (frame, area) = (stage.frame, try #require(stage.state.layout.messages))
    func row(_ number: Int) throws -> Int {
      try #require(
        area.rows.first { row in
          area.columns.map { frame[$0, row].text }.joined().contains("Number \(number).")
        })
    }
    func style(of text: String, in row: Int) throws -> Style {
      try #require(area.columns.map { frame[$0, row] }.first { $0.text == text }).style
    }
    let height = stage.state.layout.rowLines
    for number in 0..<3 {
      for line in 0..<height {
        for column in area.columns.dropFirst(ground.color == nil ? 1 : 0) {
          let style = frame[column, try row(number) + line].style
          let isSelected = number == 1
          #expect(
            style.background == (isSelected ? ground.color.map { Color.indexed($0) } : nil) ?? .terminal)
          #expect(style.attributes.contains(.reverse) == (isSelected && ground.color == nil))
        }
      }
    }
    // Coloured symbols keep their colour on the ground.
    for sign in ["●", "!", "★"] {
      var expected = try style(of: sign, in: row(0))
      if let color = ground.color {
        expected.background = .indexed(color)
      } else {
        expected.foreground = Theme(ground.theme)[.selected].foreground
        expected.attributes.insert(.reverse)
      }
      #expect(try style(of: sign, in: row(1)) == expected, "\(sign)")
    }
  }

  @Test func theOtherListsHaveTheSameSelection() throws {
    var stage = stage(Theme(.dark))
    func isTinted(_ text: String) throws -> Bool {
      let frame = stage.frame
      let row = try #require(stage.lines.firstIndex { $0.hasPrefix("▌") && $0.contains(text) })
      return (0..<10).allSatisfy { frame[$0, row].style.background == .indexed(236) }
    }
    try stage.press("h")
    #expect(try isTinted("All"))
    try stage.press("l", "a")
    stage.type("a.example")
    try stage.press("enter")
    let choices = (1...3).map { FeedChoice(title: "Feed \($0)", url: "https://a.example/\($0)") }
    stage.send(.sources(.addAnswered(stage.asked, .choices(choices))))
    try stage.press("j")
    #expect(try isTinted("Feed 2"))
  }

  @Test(arguments: [(Theme.Name.dark, UInt8(236)), (.light, 254)])
  func everyTextOfASelectedRowHasContrastWithItsGround(name: Theme.Name, color: UInt8) throws {
    let theme = Theme(name)
    let letters: WCAGColor = name == .dark ? .xtermsLetters : .black
    for role in [
      Style.Roles.unread, .read, .dim, .new, .starred, .pinned, .warning, .match, .dot, .accent, [],
    ] {
      let style = theme.selection(over: Style(roles: role), on: .indexed(color))
      let back = try WCAGColor(style.background, terminal: letters)
      let contrast = try WCAGColor(style.foreground, terminal: letters).contrast(to: back)
      #expect(contrast >= ([.dot, .accent].contains(role) ? 3 : 4.5), "\(role): \(contrast)")
    }
  }

  @Test func aStyleOfTheSelectionOrOfAllTextsIsKept() {
    let blue = Style(foreground: .ansi(7), background: .ansi(4))
    #expect(Theme(.dark, own: [.selected: blue]).selectionGround(on: .dark) == nil)
    #expect(Theme(.dark, own: [.text: blue]).selectionGround(on: .dark) == nil)
    #expect(Theme(.dark, own: [.dot: blue]).selectionGround(on: nil) == .indexed(236))
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
