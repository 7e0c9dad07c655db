import Basics
package import Messages
import Words

/// Sentences about messages of a poll that are duplicates or were stored before.
extension IdentityReport {
  /// The numbers of duplicates and of messages that were stored before, without examples.
  package var summary: [String] {
    var lines: [String] = []
    let (again, joined, copies) = (count(.again), count(.joined), count(.copies))
    if again > 0 { lines.append(Self.again(again)) }
    if joined > 0 { lines.append(Self.joined(joined)) }
    if copies > 0 {
      lines.append(Self.copies(copies) + " of \(copies == 1 ? "another source" : "other sources")")
    }
    if count(.repeatedIDs) > 0 { lines.append(FormatProblem.repeatedIDs(count(.repeatedIDs))) }
    return lines
  }

  /// The numbers of duplicates and of messages that were stored before, each with its evidence and an example.
  package var explanations: [String] {
    Kind.allCases.flatMap { kind in findings.filter { $0.kind == kind }.map(\.explanation) }
  }

  fileprivate static func again(_ count: Int) -> String { "\(count) came again" }

  fileprivate static func joined(_ count: Int) -> String {
    count == 1 ? "1 came with another id" : "\(count) came with other ids"
  }

  fileprivate static func copies(_ count: Int) -> String {
    count == 1 ? "1 is a duplicate of a message" : "\(count) are duplicates of messages"
  }
}

extension IdentityReport.Finding {
  fileprivate var explanation: String {
    var line: String
    switch kind {
    case .again:
      line = IdentityReport.again(count)
      switch IdentityReport.Return(rawValue: evidence) {
      case .publication: line += " with a later date of publication"
      case .occasion: line += " with a later occasion"
      case nil: break
      }
    case .joined:
      line = IdentityReport.joined(count)
      if let words = JoinEvidence(rawValue: evidence)?.words {
        line += " and \(count == 1 ? "was" : "were") known by \(words)"
      }
    case .copies:
      line = IdentityReport.copies(count) + " of " + (evidence.isEmpty ? "other sources" : "“\(evidence)”")
    case .repeatedIDs:
      line = (count == 1 ? "1 id" : "\(count) ids") + " came for different entries: “\(evidence)”"
      return SafeOutput.line(title.isEmpty ? line : line + ", for example for “\(title)”")
    }
    return SafeOutput.line(title.isEmpty ? line : line + ": “\(title)”")
  }
}

extension JoinEvidence {
  fileprivate var words: String {
    switch self {
    case .titleAndMoment: "title and moment"
    case .textAndMoment: "text and moment"
    case .titleAndText: "title and text"
    case .titleAndPage: "title and page"
    }
  }
}

// MARK: - As JSON

extension IdentityReport {
  /// The numbers as members of a JSON object, without those of new and changed messages.
  package var counts: [(String, Int)] {
    [
      ("again", count(.again)), ("joined", count(.joined)), ("copies", count(.copies)),
      ("repeated_ids", count(.repeatedIDs)),
    ]
  }
}
