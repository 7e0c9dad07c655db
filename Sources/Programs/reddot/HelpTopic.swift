import Basics
import Markup

/// A page of the manual. Its text is the Markdown page of that name, embedded when the program is built: `reddot help`, the man
/// page and what a forge shows are one text.
enum HelpTopic: String, CaseIterable {
  case commands, config, keys, query, services, rules, formats, sync, hub
  case firstDay = "first-day"
  case moving, bars, server, stored, privacy, troubleshooting, publisher, team
  case twoMachines = "two-machines"
  case postgresql

  /// The name of the Markdown page in the documentation.
  var page: String {
    switch self {
    case .commands: "Commands"
    case .config: "Settings"
    case .keys: "Keys"
    case .query: "Queries"
    case .services: "Services"
    case .rules: "Rules"
    case .formats: "Formats"
    case .sync: "Synchronisation"
    case .hub: "Hub"
    case .firstDay: "FirstDay"
    case .moving: "Moving"
    case .bars: "Bars"
    case .server: "Server"
    case .stored: "Stored"
    case .privacy: "Privacy"
    case .troubleshooting: "Troubleshooting"
    case .publisher: "Publisher"
    case .team: "Team"
    case .twoMachines: "TwoMachines"
    case .postgresql: "SynchronisingThroughPostgreSQL"
    }
  }

  /// The man page's name and section.
  var manual: (name: String, section: Int) {
    switch self {
    case .commands: ("reddot", 1)
    case .config: ("reddot-config", 5)
    case .keys, .query, .services, .rules, .formats, .sync, .firstDay, .moving, .bars, .server, .stored,
      .privacy,
      .troubleshooting, .publisher, .team, .twoMachines, .postgresql:
      ("reddot-\(rawValue)", 7)
    case .hub: ("reddot-hub", 1)
    }
  }

  /// The Markdown text.
  var text: String { EmbeddedText.named(page) ?? "" }

  /// The first paragraph of the page, without the full stop.
  static func summary(of page: String) -> String {
    let paragraphs = page.split(separator: "\n\n", maxSplits: 2)
    guard paragraphs.count > 1 else { return "" }
    let sentence = paragraphs[1].replacing(exactly: "\n", with: " ")
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])
  }

  /// The man page (man(7)).
  func manPage(version: String) -> String {
    let (name, section) = manual
    let summary = Self.summary(of: text)
    // The paragraph with the summary has its place below NAME.
    var document = Document.markdown(text)
    document.blocks.removeFirst(min(2, document.blocks.count))
    return """
      '\\" t
      .\\" Written by reddot manual from \(page).md.
      .TH \(ManPageWriter.escaped(name.uppercased())) \(section) "" "reddot \(version)"
      .\\" Neither hyphens nor wide spaces: names of keys and options stay whole.
      .nh
      .ad l
      .SH NAME
      \(ManPageWriter.escaped(name)) \\- \(ManPageWriter.escaped(summary.prefix(1).lowercased() + summary.dropFirst()))

      """ + ManPageWriter.text(of: document)
  }
}
