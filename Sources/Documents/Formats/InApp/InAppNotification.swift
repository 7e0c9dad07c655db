package import Basics
package import Foundation

/// An in-app notification as a server sends it to phones. `InAppNotificationReader` describes its JSON.
package struct InAppNotification: Hashable, Sendable {
  /// The purpose of a notification.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case downtime
    case greetings
    case others
    /// Never shown, and switches no feature.
    case nonDisplay = "non-display"
    /// Never shown: enables the features in its data.
    case enableFeature = "enable-feature"
    /// Never shown: disables the features in its data.
    case disableFeature = "disable-feature"

    /// Returns a kind by its name or by a word of the drafts, or `nil` for other words.
    package init?(word: String) {
      switch word.lowercased().replacingBytes("_", with: "-") {
      case "general": self = .others
      case "festive", "greeting": self = .greetings
      case "nondisplay": self = .nonDisplay
      case let word:
        guard let kind = Kind(rawValue: word) else { return nil }
        self = kind
      }
    }

    package var isDisplayed: Bool {
      switch self {
      case .downtime, .greetings, .others: true
      case .nonDisplay, .enableFeature, .disableFeature: false
      }
    }

    /// The default meaning of the numbers of `type`; a source may have its own.
    package static let agreedNumbers: [Int: Kind] = [1: .downtime, 2: .greetings, 3: .nonDisplay, 4: .others]
  }

  /// The time for which a notification is shown.
  package enum Expiry: Hashable, Sendable {
    /// Minutes after `epoch`, or after its arrival if it has none.
    case minutes(Double)
    /// Milliseconds after its arrival, from the "…millis" of drafts.
    case millisecondsAfterArrival(Double)
    /// An absolute time.
    case at(Date)
  }

  package var id: NativeID
  /// The number in `type`; the source's settings give its meaning.
  package var typeNumber: Int?
  /// The kind for a word of the drafts, in any of its fields.
  package var typeWord: Kind?
  /// Whether it can be dismissed. A draft's `non-cancellable` can be read but not dismissed, and stays on top until it
  /// expires.
  package var isCancellable = true
  /// The time from which it is shown; only for server notifications.
  package var epoch: Date?
  /// Hours after the program's installation; only for local notifications, and never together with `epoch`.
  package var relativeHours: Double?
  package var expiry: Expiry?
  /// The text in document order, each language once.
  package var texts: [LocalizedText] = []
  /// The channel. An absent one is `general`, to which every source subscribes.
  package var channel: String?
  /// The URL of an image, not checked yet.
  package var poster: String?
  /// `actiondata`, or the drafts' `data`, as sent, or `nil` if all its keys are in the fields above.
  package var data: JSONValue?
  /// Unknown keys; those of `actiondata` are under its key.
  package var unknown = JSONObject()

  package init(id: NativeID) { self.id = id }

  /// Returns the kind. A word has precedence over a number; an unknown number is `others`.
  package func kind(numbers: [Int: Kind] = [:]) -> Kind {
    if let typeWord { return typeWord }
    guard let typeNumber else { return .others }
    return numbers[typeNumber] ?? Kind.agreedNumbers[typeNumber] ?? .others
  }

  /// The features in a non-display notification's free-form data: a string, an array of strings,
  /// the value of `feature`, `features` or `name`, or else every key.
  package var featureNames: [String] {
    FeatureNames.all(in: data, besides: InAppNotificationReader.keysOfData)
  }

  /// The time in which a notification is visible: from `from` on, up to but not including `until`.
  package struct Visibility: Hashable, Sendable {
    /// The beginning, or `nil` if it is visible immediately.
    package var from: Date?
    /// The end, or `nil` if it has none.
    package var until: Date?

    package init(from: Date? = nil, until: Date? = nil) {
      self.from = from
      self.until = until
    }

    package func contains(_ now: Date) -> Bool {
      if let from, now < from { return false }
      if let until, now >= until { return false }
      return true
    }
  }

  /// Returns the time in which the notification is visible.
  ///
  /// The minutes of a local notification count from the time when it first became visible: its hours after the
  /// installation, or its arrival if that is later.
  ///
  /// - Parameters:
  ///   - arrival: the time of its first arrival; a redelivery does not extend the time.
  ///   - installation: the program's first start on this database.
  package func visibility(arrival: Date, installation: Date) -> Visibility {
    let from = epoch ?? relativeHours.map { installation.addingTimeInterval($0 * 3600) }
    let until: Date? =
      switch expiry {
      case nil: nil
      case .minutes(let minutes):
        (epoch ?? from.map { max($0, arrival) } ?? arrival).addingTimeInterval(minutes * 60)
      case .millisecondsAfterArrival(let milliseconds): arrival.addingTimeInterval(milliseconds / 1000)
      case .at(let end): end
      }
    return Visibility(from: from, until: until)
  }
}
