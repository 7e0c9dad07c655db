import Basics

/// Chooses one of the languages in which text is available: the exact tag, then its base language, then `default`, then
/// the first.
///
/// Tags between a tag and its base are tried too, as in RFC 4647 section 3.4: for `zh-Hant-TW`, `zh-Hant` is before
/// `zh`.
package enum LanguageChoice {
  /// Returns the index of the chosen tag, or `nil` if `tags` is empty.
  package static func index(for language: String, in tags: [String]) -> Int? {
    // Usually the exact tag exists, and a large feed calls this 100,000 times.
    if let exact = tags.firstIndex(where: { sameBytes($0, language) }) { return exact }
    let normalized = tags.map(normalized)
    for candidate in candidates(for: language) + ["default"] {
      if let index = normalized.firstIndex(of: candidate) { return index }
    }
    return tags.isEmpty ? nil : 0
  }

  /// Returns a language and its fallbacks, nearest first: `zh-hant-tw`, `zh-hant`, `zh`. For Chinese with a
  /// region, the script of that region is added (`zh-tw`, `zh`, `zh-hant`), since text is often tagged with
  /// it. The result is empty for `C`, `POSIX` and an empty name.
  package static func candidates(for language: String) -> [String] {
    var subtags = normalized(language).split(onBytes: "-")
    if subtags == ["c"] || subtags == ["posix"] { return [] }
    var candidates: [String] = []
    while !subtags.isEmpty {
      candidates.append(subtags.joined(separator: "-"))
      subtags.removeLast()
      // A single letter introduces the subtags after it and has no meaning alone.
      if subtags.last?.count == 1 { subtags.removeLast() }
    }
    if let region = chineseScripts[normalized(language)], !candidates.contains(region) {
      candidates.append(region)
    }
    return candidates
  }

  /// The scripts of Chinese, keyed by language and region, from CLDR's likely subtags.
  private static let chineseScripts = [
    "zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-my": "zh-hans", "zh-tw": "zh-hant",
    "zh-hk": "zh-hant", "zh-mo": "zh-hant",
  ]

  /// Normalizes a BCP 47 tag or a POSIX locale (`zh_TW.UTF-8@x`): lower case, hyphens, without a codeset.
  package static func normalized(_ tag: String) -> String {
    if tag.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) {
      return tag
    }
    let name = tag.prefix { $0 != "." && $0 != "@" && $0 != " " }
    return name.lowercased().replacingBytes("_", with: "-")
  }
}
