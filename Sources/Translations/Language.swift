import CWords
import Formats
import Foundation
import Interface

/// A language that the interface speaks. The raw value is its BCP 47 tag, and the name of its folder under Resources.
enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case chineseSimplified = "zh-Hans"
  case chineseTraditional = "zh-Hant"
  case hindi = "hi"

  /// The language nearest to a tag: the tag itself, else what its script or region says (RFC 4647, CLDR's likely
  /// scripts), else its base language, else English. POSIX spellings will do (`zh_TW.UTF-8`).
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

  var plurals: Words.PluralRule {
    switch self {
    case .english: .one
    case .chineseSimplified, .chineseTraditional: .none
    case .hindi: .zeroAndOne
    }
  }

  /// Where a translator edits its words, from the project's folder.
  var file: String { "Resources/\(rawValue).lproj/Localizable.strings" }

  /// The bytes of that file when the program was built; none where it is not embedded.
  var bytes: Data {
    var count = 0
    guard let start = reddot_words(rawValue, &count) else { return Data() }
    return Data(bytes: start, count: count)
  }

  /// The texts in that file, by their keys.
  func strings() throws(StringsFailure) -> LocalizableStrings { try LocalizableStrings.read(bytes) }
}
