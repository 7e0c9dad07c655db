import Screen

/// The languages that the interface speaks, and which of them a reader gets.
extension Words {
  /// BCP 47 tags of the languages that there are.
  package static let languages = Language.allCases.map(\.rawValue)

  /// The words of the language nearest to a tag: the tag itself, else what its script or region says (RFC 4647,
  /// CLDR's likely scripts), else its base language, else English.
  ///
  /// POSIX spellings will do (`zh_TW.UTF-8`). Each language is put together once, when it is first asked for.
  package static func named(_ tag: String) -> Words {
    switch Language(nearest: tag) {
    case .english: .english
    case .chineseSimplified: .chineseSimplified
    case .chineseTraditional: .chineseTraditional
    case .hindi: .hindi
    }
  }

  private enum Language: String, CaseIterable {
    case english = "en"
    case chineseSimplified = "zh-Hans"
    case chineseTraditional = "zh-Hant"
    case hindi = "hi"

    init(nearest tag: String) {
      // What follows a dot or an at sign in POSIX is a character set or a variant.
      let name = tag.prefix { $0 != "." && $0 != "@" }
      let parts = name.lowercased().split { $0 == "-" || $0 == "_" || $0.isWhitespace }
      let rest = parts.dropFirst()
      switch parts.first {
      case "zh", "cmn": self = Self.isTraditional(rest) ? .chineseTraditional : .chineseSimplified
      case "yue":
        self = rest.contains("hans") || rest.contains("cn") ? .chineseSimplified : .chineseTraditional
      // Who writes Hindi with Latin letters reads English sooner than Devanagari (CLDR's parent locale).
      case "hi": self = rest.contains("latn") ? .english : .hindi
      default: self = .english
      }
    }

    /// A script that is named decides, then the region.
    private static func isTraditional(_ subtags: ArraySlice<Substring>) -> Bool {
      if subtags.contains("hant") { return true }
      if subtags.contains("hans") { return false }
      return subtags.contains { $0 == "tw" || $0 == "hk" || $0 == "mo" || $0 == "yue" }
    }
  }

  /// The widest time in a line of the timeline: a weekday and the clock, or the clock with seconds.
  var clockColumns: Int { max(9, (weekdays.map(\.columns).max() ?? 0) + 6) }
}
