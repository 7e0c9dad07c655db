package import Screen

/// The styles for the roles of text, for example errors, links and the selected row.
package struct Theme: Hashable, Sendable {
  /// The built-in themes.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    /// A theme with the terminal's own 16 colours, so that the user's colours apply.
    case terminal
    /// A theme for a black background.
    case dark
    /// A theme for a white background.
    case light
    /// A theme with attributes only.
    case plain
  }

  /// The roles that have a style.
  package enum Role: String, CaseIterable, Hashable, Sendable {
    case text, dim, unread, new, read, dot, selected, title, error, warning, pinned, starred, accent, key,
      link, code,
      quote
    case heading, image, note, match

    /// The bit of the role, or `nil` for `text`, which applies to everything.
    var bit: Style.Roles? {
      switch self {
      case .text: nil
      case .dim: .dim
      case .unread: .unread
      case .new: .new
      case .read: .read
      case .dot: .dot
      case .selected: .selected
      case .title: .title
      case .error: .error
      case .warning: .warning
      case .pinned: .pinned
      case .starred: .starred
      case .accent: .accent
      case .key: .key
      case .link: .link
      case .code: .code
      case .quote: .quote
      case .heading: .heading
      case .image: .image
      case .note: .note
      case .match: .match
      }
    }
  }

  private let name: Name
  /// The styles that replace styles of the named theme.
  private let own: [Role: Style]
  /// The styles of the roles with bits, indexed by the number of the bit.
  private let styles: [Style]
  private let text: Style

  package init(_ name: Name = .terminal, own: [Role: Style] = [:]) {
    self.name = name
    self.own = own
    var styles = Array(repeating: Style.plain, count: Role.allCases.count)
    for role in Role.allCases {
      guard let bit = role.bit else { continue }
      styles[bit.rawValue.trailingZeroBitCount] = own[role] ?? name.style(of: role)
    }
    self.styles = styles
    text = own[.text] ?? name.style(of: .text)
  }

  package subscript(role: Role) -> Style {
    guard let bit = role.bit else { return text }
    return styles[bit.rawValue.trailingZeroBitCount]
  }

  /// The theme for a terminal without colours, in which named themes have all their attributes.
  package var withoutColors: Theme { Theme(.plain, own: own) }

  /// The style with the colours and attributes of its roles, and without roles.
  package func look(of style: Style) -> Style {
    var look = text
    var rest = style.roles.rawValue
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      if bit < styles.count { look = styles[bit].over(look) }
      rest &= rest - 1
    }
    return style.over(look).withoutRoles
  }

  /// Returns the background of a selected row in a terminal with 256 colours. The row keeps its other colours.
  ///
  /// - Parameter background: the terminal's background, or `nil` if it is not known. Only the theme `terminal` uses
  ///   it; `dark` and `light` are made for one background.
  /// - Returns: `nil` if the theme has no colours, or sets the style of the selection or the background itself, or if
  ///   the background is not known.
  package func selectionGround(on background: Background?) -> Color? {
    guard own[.selected] == nil, text.background == .terminal else { return nil }
    let known: Background? =
      switch name {
      case .terminal: background
      case .dark: .dark
      case .light: .light
      case .plain: nil
      }
    return known.map { $0 == .dark ? .indexed(236) : .indexed(254) }
  }

  /// Returns the style of a cell in a selected row. If the selection has a background (`ground`), the cell
  /// keeps its own colours on it; otherwise the cell keeps only its attributes, and gets the selection's
  /// colours.
  package func selection(over style: Style, on ground: Color?) -> Style {
    if let ground {
      var text = style
      // Dim text would have too little contrast with the ground.
      text.roles.subtract([.dim, .read])
      var look = look(of: text)
      if look.background == .terminal { look.background = ground }
      return look
    }
    var look = self[.selected]
    look.attributes.formUnion(self.look(of: style).attributes.subtracting(.dim))
    return look
  }
}

extension Theme.Name {
  package func style(of role: Theme.Role) -> Style {
    var style = attributes(of: role)
    style.foreground = foreground(of: role)
    if role == .match, self != .plain { style.background = self == .terminal ? .ansi(3) : .indexed(228) }
    return style
  }

  /// Returns the attributes of a role, which are the same in every theme. The exception is "dim", which is used only
  /// with the terminal's own colours, since its brightness depends on the terminal.
  private func attributes(of role: Theme.Role) -> Style {
    switch role {
    case .text, .error, .pinned, .starred, .accent, .key, .code, .quote, .heading, .image: .plain
    case .dim, .read: self == .terminal || self == .plain ? .dim : .plain
    case .unread: .plain
    case .new, .dot, .title, .warning: .bold
    case .selected: .reverse
    case .link, .match: .underline
    case .note: .italic
    }
  }

  private func foreground(of role: Theme.Role) -> Color {
    switch self {
    case .plain: .terminal
    case .terminal: Self.colors[role].map { .ansi($0.terminal) } ?? .terminal
    case .dark:
      Self.colors[role].map { .indexed($0.dark) }
        ?? (role == .dim || role == .read ? .indexed(245) : .terminal)
    case .light:
      Self.colors[role].map { .indexed($0.light) }
        ?? (role == .dim || role == .read ? .indexed(241) : .terminal)
    }
  }

  /// The colour of each role: in the theme `terminal`, one of the 16 colours of the terminal; in the themes
  /// `dark` and `light`, one of xterm's 256.
  private static let colors: [Theme.Role: (terminal: UInt8, dark: UInt8, light: UInt8)] = [
    .dot: (1, 203, 160), .error: (1, 203, 160), .warning: (3, 220, 94), .pinned: (3, 220, 94),
    .starred: (3, 220, 94), .accent: (6, 80, 24), .key: (6, 80, 24), .link: (6, 80, 25), .code: (3, 222, 94),
    .quote: (2, 114, 22), .heading: (5, 176, 90), .image: (5, 176, 90), .note: (3, 222, 94),
    .match: (0, 16, 16),
  ]
}
