import Basics
import Markup

/// A page of the manual. Its text is the Markdown page of that name, embedded when the program is built. `reddot help`,
/// the man page and the page on a forge are one text.
enum HelpTopic: String, CaseIterable {
  case commands, config, keys, query, services, rules, formats, sync, hub
  case firstDay = "first-day"
  case moving, phone, server, stored, privacy, troubleshooting, publisher

  /// Returns the topic of a name, even if its page is now part of another one.
  static func named(_ name: String) -> HelpTopic? { HelpTopic(rawValue: name) ?? merged[name] }

  /// The topics that now contain the pages of former topics, keyed by the former names.
  private static let merged: [String: HelpTopic] = [
    "bars": .commands, "two-machines": .sync, "postgresql": .sync, "team": .hub,
  ]

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
    case .phone: "Phone"
    case .server: "Server"
    case .stored: "Stored"
    case .privacy: "Privacy"
    case .troubleshooting: "Troubleshooting"
    case .publisher: "Publisher"
    }
  }

  /// The name and section of the man page.
  var manual: (name: String, section: Int) {
    switch self {
    case .commands: ("reddot", 1)
    case .config: ("reddot-config", 5)
    case .keys, .query, .services, .rules, .formats, .sync, .firstDay, .moving, .phone, .server, .stored,
      .privacy, .troubleshooting, .publisher:
      ("reddot-\(rawValue)", 7)
    case .hub: ("reddot-hub", 1)
    }
  }

  var text: String { EmbeddedText.named(page) ?? "" }

  /// Returns the first paragraph of the page, without the full stop.
  static func summary(of page: String) -> String {
    let paragraphs = page.split(separator: "\n\n", maxSplits: 2)
    guard paragraphs.count > 1 else { return "" }
    let sentence = paragraphs[1].replacingBytes("\n", with: " ")
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])
  }

  /// Returns the man page (man(7)).
  func manPage(version: String) -> String {
    let (name, section) = manual
    let summary = Self.summary(of: text)
    // The paragraph with the summary belongs below NAME.
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
