import Foundation

/// Names for sources that nobody named; none is given twice.
struct NewNames {
  private var taken: Set<String>
  /// By name, the first number behind it that may be free: a list of 10,000 feeds of one title asks as often.
  private var numbers: [String: Int] = [:]

  init(besides taken: [String]) { self.taken = Set(taken) }

  /// The title, else the host, made valid and unique.
  mutating func take(_ title: String?, address: String) -> String {
    let visible = SafeOutput.line(title ?? "").trimmingCharacters(in: .whitespaces)
    let short = String(visible.prefix(60)).trimmingCharacters(in: .whitespaces)
    let host = URL(string: address)?.host() ?? URL(string: address)?.deletingPathExtension().lastPathComponent
    let base =
      SourceName.isValid(short) ? short : host.flatMap { SourceName.isValid($0) ? $0 : nil } ?? "feed"
    var name = base
    var number = numbers[base, default: 2]
    while !taken.insert(name).inserted {
      let end = " \(number)"
      // Not longer than a name may be.
      name = base.prefix(SourceName.longest - end.count) + end
      number += 1
    }
    numbers[base] = number
    return name
  }
}
