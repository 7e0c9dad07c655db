import Foundation
package import Screen
import Words

/// The content of the bottom line, apart from prompts and keys.
package struct StatusLine: Hashable, Sendable {
  /// The last report, until a key or a click removes it.
  package internal(set) var toast: Toast? {
    get { last }
    set {
      guard let newValue else {
        last = nil
        return
      }
      add(newValue)
      // News would replace a failure that was not visible for long enough.
      if newValue.kind == .news, last?.kind == .failure, !wasReadable { return }
      (last, inSightSince, wasReadable) = (newValue, nil, false)
    }
  }
  /// The error in the settings file; shown until it is corrected.
  package internal(set) var settingsMistake: SafeText?
  /// A key of the settings that does not have its effect; shown until it is corrected.
  package internal(set) var keymapProblem: SafeText?
  /// The part of a valid settings file that has no effect.
  package internal(set) var settingsProblem: SafeText?
  /// The demo's explanation, in place of the keys' hints.
  package internal(set) var guide: SafeText?
  /// All sentences that were reported, newest first.
  private(set) var said: [Said] = []

  private var last: Toast?
  /// The time at which the last sentence was first drawn: a prompt or a question may have been in its place.
  private var inSightSince: Date?
  /// Whether the last sentence was visible for long enough.
  private var wasReadable = false

  /// A sentence and its time; `nil` until the end of the action that reported it.
  struct Said: Hashable, Sendable {
    var toast: Toast
    var at: Date?
  }

  /// The time for which a warning or a failure is visible before a key removes it, in seconds.
  private static let readingTime: TimeInterval = 2
  /// The number of sentences that are kept.
  private static let mostSaid = 200

  /// Adds a sentence to the record of sentences without showing it at the bottom, since it is shown
  /// elsewhere.
  mutating func add(_ toast: Toast) {
    said.insert(Said(toast: toast), at: 0)
    if said.count > Self.mostSaid { said.removeLast() }
  }

  /// Adds a sentence about the settings to the record of sentences, and removes the last report from the
  /// bottom line. The sentence itself is shown there until the settings are corrected.
  mutating func show(lasting toast: Toast) {
    add(toast)
    last = nil
  }

  /// Records whether the last sentence was visible for long enough by now.
  mutating func timePassed(to now: Date) {
    if let since = inSightSince, now.timeIntervalSince(since) >= Self.readingTime { wasReadable = true }
  }

  /// Removes the last sentence after a key or a click, unless it was not visible for long enough.
  mutating func dismiss() {
    guard let last, last.kind == .news ? inSightSince != nil : wasReadable else { return }
    toast = nil
  }

  /// Sets the time of the sentences that an action reported, and records when the last one is first visible.
  ///
  /// - Parameter isInSight: whether the bottom line is not covered.
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

  /// Returns the text, with the symbol of a failure.
  func text(_ signs: Signs) -> SafeText { kind == .failure ? signs.failed + " " + text : text }
}
