/// The reasons why messages of a poll are not new, or become unread again: numbers, each with its evidence and an
/// example.
package struct IdentityReport: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Stored messages that were published again, or that report another occasion.
    case again
    /// Stored messages that arrived with other ids.
    case joined
    /// New messages that are duplicates of messages of other sources.
    case copies
    /// Ids that arrived for different entries for the first time.
    case repeatedIDs = "repeated_ids"
  }

  /// Messages of one kind with the same evidence.
  package struct Finding: Hashable, Sendable, Codable {
    package var kind: Kind
    /// The raw value of a `Return` for `again`, that of a `JoinEvidence` for `joined`, the name of the other source for
    /// `copies`, and the first id for `repeatedIDs`. It is empty if the finding summarises several.
    package var evidence: String
    package var count: Int
    /// The title of the first message, cut.
    package var title: String
  }

  /// The reason why a message becomes unread again.
  package enum Return: String, Sendable { case publication, occasion }

  /// The number of stored messages whose content was changed.
  package var changed = 0
  /// The findings, at most `mostOfAKind` for each kind.
  package private(set) var findings: [Finding] = []

  package init() {}

  package static let titleBytes = 200
  private static let mostOfAKind = 8

  package var isEmpty: Bool { changed == 0 && findings.isEmpty }

  package func count(_ kind: Kind) -> Int { findings.reduce(0) { $1.kind == kind ? $0 + $1.count : $0 } }

  /// - Parameter title: evaluated only for the first message with this evidence.
  package mutating func add(
    _ kind: Kind, _ evidence: String, count: Int = 1, title: @autoclosure () -> String
  ) {
    var evidence = evidence
    func place() -> Int? {
      // Ids are counted together, since each is its own evidence.
      findings.firstIndex { $0.kind == kind && ($0.evidence == evidence || kind == .repeatedIDs) }
    }
    if place() == nil, findings.count(where: { $0.kind == kind }) >= Self.mostOfAKind - 1 { evidence = "" }
    if let place = place() {
      findings[place].count += count
    } else {
      let finding = Finding(
        kind: kind, evidence: Self.cut(evidence), count: count, title: Self.cut(title()))
      findings.append(finding)
    }
  }

  /// Adds the findings of a later part of the same poll.
  package mutating func add(_ later: IdentityReport) {
    changed += later.changed
    for finding in later.findings {
      add(finding.kind, finding.evidence, count: finding.count, title: finding.title)
    }
  }

  /// Returns text cut to `titleBytes` bytes, with an ellipsis at its end.
  private static func cut(_ text: String) -> String {
    if text.utf8.count <= titleBytes { return text }
    var cut = text.prefix(titleBytes)
    while cut.utf8.count > titleBytes - "…".utf8.count { cut.removeLast() }
    return cut + "…"
  }
}
