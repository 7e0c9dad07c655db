import ArgumentParser
import Foundation
import Platform

/// Ids of messages in an argument: `42`, `42,43`, or `-` for ids in standard input, separated by spaces, commas or line
/// ends.
enum MessageIDList: ExpressibleByArgument {
  case ids([Int64])
  case standardInput

  init?(argument: String) {
    if argument == "-" {
      self = .standardInput
      return
    }
    let words = argument.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let ids = Self.ids(words) else { return nil }
    self = .ids(ids)
  }

  /// Whether the argument is a single id.
  var isOne: Bool { if case .ids(let ids) = self { ids.count == 1 } else { false } }

  private static func ids(_ words: [Substring.UTF8View.SubSequence]) -> [Int64]? {
    let ids = words.compactMap { Int64(Substring($0)) }
    return ids.count == words.count ? ids : nil
  }

  /// Returns the ids of several arguments, in their order.
  static func ids(of lists: [MessageIDList]) throws -> [Int64] {
    var all: [Int64] = []
    for list in lists {
      switch list {
      case .ids(let ids): all += ids
      case .standardInput:
        let text = String(decoding: try GivenFile.read("-"), as: UTF8.self)
        let separators = Set(" ,\n\r\t".utf8)
        let words = text.utf8.split { separators.contains($0) }
        guard let ids = ids(words) else {
          let wrong = words.first { Int64(Substring($0)) == nil }.map { String(Substring($0).prefix(40)) }
          throw ValidationError("standard input: \"\(wrong ?? "")\" is not the id of a message")
        }
        all += ids
      }
    }
    return all
  }
}
