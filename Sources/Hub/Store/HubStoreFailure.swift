import Foundation

/// Why the store of a hub can't be used: a sentence that names it and says what to do.
package struct HubStoreFailure: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// It can't be opened, read or written.
    case away
    /// Another `serve` has it.
    case isServed
    case olderSchema
    case newerSchema
    /// Another program's, or damaged.
    case notAHub
    /// What was asked for isn't there, or already is.
    case refused
    /// Another program does that.
    case wrongUsage
  }

  package let kind: Kind
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  package var errorDescription: String? { description }
}
