/// The spellings of a date that a format allows. All of them allow the full date of ISO 8601 with dashes, alone or with
/// a time of day and an offset.
///
/// | | `compact` | `fragments` | `unix` | `words` | `zones` | `scripts` | `overflow` |
/// |---|---|---|---|---|---|---|---|
/// | `instant` | | | | | | | |
/// | `calendar` | yes | | | | | | |
/// | `delivery` | yes | | yes | yes | yes | | |
/// | `http` | | | | yes | yes | | |
/// | `feed` | yes | yes | yes | yes | yes | yes | yes |
package struct DateForms: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `20261120`, `T0900` and `T090000`.
  static let compact = DateForms(rawValue: 1)
  /// `2026-11`, `2026-324`, `2026-W47-5`, `26-11-20` and other forms of ISO 8601, and parts of one digit.
  static let fragments = DateForms(rawValue: 2)
  /// Seconds and milliseconds since 1970.
  static let unix = DateForms(rawValue: 4)
  /// Names of months, with the parts in any order; unknown words are skipped.
  static let words = DateForms(rawValue: 8)
  /// Names of zones.
  static let zones = DateForms(rawValue: 16)
  /// Digits, spaces and dashes of any script.
  static let scripts = DateForms(rawValue: 32)
  /// 31 June means 1 July, and 24:00 means the start of the next day.
  static let overflow = DateForms(rawValue: 64)

  /// RFC 3339, for programs that follow it.
  package static let instant: DateForms = []
  /// RFC 5545 sections 3.3.4 and 3.3.5, and the variants that programs write.
  package static let calendar: DateForms = [.compact]
  /// Times that webhooks deliver.
  package static let delivery: DateForms = [.compact, .unix, .words, .zones]
  /// RFC 9110 section 5.6.7.
  package static let http: DateForms = [.words, .zones]
  /// RFC 822, W3CDTF, and the variants that feeds contain.
  package static let feed: DateForms = [.compact, .fragments, .unix, .words, .zones, .scripts, .overflow]
}
