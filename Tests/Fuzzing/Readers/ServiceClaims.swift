import Basics
import Foundation
import Messages
import Services

/// The responses of services: bounded, and every message is of a service and has the required fields.
enum ServiceClaims {
  private static let context = PollContext(now: Date(timeIntervalSince1970: 1_795_000_000))

  static func check(_ bytes: Data) throws(Violation) {
    let (kind, inspection) = read(bytes)
    // Other bytes are read as a feed, whose claims are elsewhere.
    guard inspection.kind == kind else { return }
    let messages = inspection.messages
    try claim(messages.count <= bytes.count, "\(bytes.count) bytes hold \(messages.count) messages")
    let bound = Limits.growthConstant + Limits.growthFactor * bytes.count
    try claim(messages.textBytes <= bound, "\(bytes.count) bytes became \(messages.textBytes)")
    try claim(inspection.problems.count <= Limits.nativeProblems, "\(inspection.problems.count) problems")
    for message in messages {
      try claim(message.kind == .service, "\(kind.rawValue): a message of kind \(message.kind)")
      try claim(!message.remoteID.text.isEmpty, "\(kind.rawValue): a message without an id")
      try claim(
        message.remoteID.text.utf8.count <= Limits.remoteIDBytes, "\(kind.rawValue): an id is too long")
      try claim(!message.title.contains(where: \.isNewline), "\(kind.rawValue): a title of two lines")
      try claim(message.tags.count <= Limits.tags, "\(kind.rawValue): \(message.tags.count) tags")
      try claimWritable(message.published, "published")
      try claim((1...5).contains(message.priority.rawValue), "priority is \(message.priority)")
    }
  }

  /// Reads a line with a service's name, and the service's response. The length of another line selects a service.
  static func read(_ bytes: Data) -> (kind: SourceKind, inspection: Inspection) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let kinds = SourceAdapters.serviceKinds
    let kind = kinds.first { line.elementsEqual($0.rawValue.utf8) } ?? kinds[line.count % kinds.count]
    let answer = Data(bytes.dropFirst(line.count + 1))
    return (
      kind, Inspector.inspect(answer, kind: kind, address: "https://service.example/a", context: context)
    )
  }
}
