import Foundation

/// The reason why the store of a hub can't be used: a sentence with its name and the remedy.
package struct HubStoreFailure: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The store can't be opened, read or written.
    case away
    /// Another `serve` uses the store.
    case isServed
    case olderSchema
    case newerSchema
    /// The file belongs to another program, or is damaged.
    case notAHub
    /// The feed or token in the request does not exist, or already exists.
    case refused
    /// The requested action must be done with another program.
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
