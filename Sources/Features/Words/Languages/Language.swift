import CResources
import Formats
import Foundation

/// A language of the interface. The raw value is its BCP 47 tag, and the name of its folder under Resources.
enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case chineseSimplified = "zh-Hans"
  case chineseTraditional = "zh-Hant"
  case hindi = "hi"

  /// Chooses the language nearest to a tag: the tag itself, otherwise a match by its script or region (RFC 4647, CLDR's
  /// likely scripts), otherwise its base language, otherwise English. Also accepts POSIX locales (`zh_TW.UTF-8`).
  init(nearest tag: String) {
    // In POSIX a character set follows a dot, and a variant an at sign.
    let name = tag.prefix { $0 != "." && $0 != "@" }
    let parts = name.lowercased().split { $0 == "-" || $0 == "_" || $0.isWhitespace }
    let rest = parts.dropFirst()
    switch parts.first {
    case "zh", "cmn": self = Self.isTraditional(rest) ? .chineseTraditional : .chineseSimplified
    case "yue":
      self = rest.contains("hans") || rest.contains("cn") ? .chineseSimplified : .chineseTraditional
    // The fallback of Hindi in Latin letters is English, not Devanagari (CLDR's parent locale).
    case "hi": self = rest.contains("latn") ? .english : .hindi
    default: self = .english
    }
  }

  /// Whether the subtags of Chinese mean the traditional script: decided by the script if it is given, otherwise by the
  /// region.
  private static func isTraditional(_ subtags: ArraySlice<Substring>) -> Bool {
    if subtags.contains("hant") { return true }
    if subtags.contains("hans") { return false }
    return subtags.contains { $0 == "tw" || $0 == "hk" || $0 == "mo" || $0 == "yue" }
  }

  var plurals: Words.PluralRule {
    switch self {
    case .english: .one
    case .chineseSimplified, .chineseTraditional: .none
    case .hindi: .zeroAndOne
    }
  }

  /// The path of the language's file of strings in the project.
  var file: String { "Resources/\(rawValue).lproj/Localizable.strings" }

  /// The bytes of the language's file of strings when the program was built; empty if the file isn't
  /// embedded.
  var bytes: Data {
    var count = 0
    guard let start = reddot_words(rawValue, &count) else { return Data() }
    return Data(bytes: start, count: count)
  }

  /// Returns the strings of the language's file, by key.
  func strings() throws(StringsFailure) -> LocalizableStrings { try LocalizableStrings.read(bytes) }
}
