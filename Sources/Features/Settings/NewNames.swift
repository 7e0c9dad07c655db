import Foundation
import Words

/// Generates unique names for sources without a given name.
package struct NewNames {
  private var taken: Set<String>
  /// The first number that may be free as the end of a name, keyed by the name: an imported file may have 10,000 feeds
  /// with the same title.
  private var numbers: [String: Int] = [:]

  package init(besides taken: [String]) { self.taken = Set(taken) }

  /// Returns a valid and unique name, made from the title or, without a title, the host.
  package mutating func next(_ title: String?, address: String) -> String {
    let visible = SafeOutput.line(title ?? "").trimmingCharacters(in: .whitespaces)
    let short = String(visible.prefix(60)).trimmingCharacters(in: .whitespaces)
    let host = URL(string: address)?.host() ?? URL(string: address)?.deletingPathExtension().lastPathComponent
    let base =
      SourceName.isValid(short) ? short : host.flatMap { SourceName.isValid($0) ? $0 : nil } ?? "feed"
    var name = base
    var number = numbers[base, default: 2]
    while !taken.insert(name).inserted {
      let end = " \(number)"
      // The name must not exceed the limit of names.
      name = base.prefix(SourceName.longest - end.count) + end
      number += 1
    }
    numbers[base] = number
    return name
  }
}
