package import Messages
import Screen
import Words

/// A failure that is not the response to an effect. Each `reason` is a clause.
package enum Trouble: Hashable, Sendable {
  /// A notification could not be shown.
  case notice(reason: String)
  /// The notifications of other programs cannot be received.
  case desktop(reason: String)
  /// The settings' program for a feature could not be run; `reason` is the system's.
  case hook(reason: String)
  /// The log cannot be written; sent once.
  case log(reason: String)
  /// A read or write of the store failed.
  case store(FetchFailure)
}

extension Words {
  func sentence(_ trouble: Trouble) -> SafeText {
    switch trouble {
    case .notice(let reason): self(.noticeFailed, SafeText(untrusted: reason))
    case .desktop(let reason): self(.desktopFailed, SafeText(untrusted: reason))
    case .hook(let reason): self(.hookFailed, SafeText(untrusted: reason))
    case .log(let reason): self(.logFailed, SafeText(untrusted: reason))
    case .store(let failure): sentence(failure, longest: Self.longestReason)
    }
  }
}
