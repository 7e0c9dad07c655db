import Foundation
package import Screen
import Words

/// What the bottom line shows, apart from prompts and keys.
package struct StatusLine: Hashable, Sendable {
  /// What was said last.
  package internal(set) var toast: Toast? {
    get { last }
    set {
      guard let newValue else {
        last = nil
        return
      }
      add(newValue)
      // News would take away a failure that nobody could have read.
      if newValue.kind == .news, last?.kind == .failure, !wasReadable { return }
      (last, inSightSince, wasReadable) = (newValue, nil, false)
    }
  }
  /// What is wrong in the settings file; shown until it is corrected.
  package internal(set) var settingsMistake: SafeText?
  /// A key of the settings that does not do what is written there; shown until it is corrected.
  package internal(set) var keymapProblem: SafeText?
  /// What does nothing in a settings file that is used otherwise.
  package internal(set) var settingsProblem: SafeText?
  /// All that was said, newest first.
  private(set) var said: [Said] = []

  private var last: Toast?
  /// When the last sentence was drawn for the first time: a prompt or a question may stand in its place.
  private var inSightSince: Date?
  /// Whether the last sentence was in sight for long enough.
  private var wasReadable = false

  /// A sentence and when it was said; nil until the end of the action that said it.
  struct Said: Hashable, Sendable {
    var toast: Toast
    var at: Date?
  }

  /// How long a warning or a failure is in sight before a key takes it away.
  private static let readingTime: TimeInterval = 2
  /// How many sentences are kept.
  private static let mostSaid = 200

  /// Keeps a sentence that is shown elsewhere.
  mutating func add(_ toast: Toast) {
    said.insert(Said(toast: toast), at: 0)
    if said.count > Self.mostSaid { said.removeLast() }
  }

  /// Keeps a sentence about the settings that stays until they are corrected, and shows it in place of an earlier one.
  mutating func show(lasting toast: Toast) {
    add(toast)
    last = nil
  }

  mutating func timePassed(to now: Date) {
    if let since = inSightSince, now.timeIntervalSince(since) >= Self.readingTime { wasReadable = true }
  }

  /// Takes the last sentence away, as a key or a click does; what nobody could have read stays.
  mutating func dismiss() {
    guard let last, last.kind == .news ? inSightSince != nil : wasReadable else { return }
    toast = nil
  }

  /// - Parameter isInSight: whether nothing stands in the bottom line's place.
  mutating func actionEnded(at now: Date, isInSight: Bool) {
    for index in said.indices.prefix(while: { said[$0].at == nil }) { said[index].at = now }
    if last == nil { (inSightSince, wasReadable) = (nil, false) }
    if isInSight, last != nil, inSightSince == nil { inSightSince = now }
  }
}

/// A sentence at the bottom.
package struct Toast: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case news, warning, failure

    var style: Style {
      switch self {
      case .news: Palette.accent
      case .warning: Palette.warning
      case .failure: Palette.failure
      }
    }
  }

  package var text: SafeText
  package var kind: Kind

  init(_ text: SafeText, _ kind: Kind = .news) {
    self.text = text
    self.kind = kind
  }

  /// With the sign of a failure.
  func text(_ signs: Signs) -> SafeText { kind == .failure ? signs.failed + " " + text : text }
}
