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

    /// Creates the kind with a name, or with a word that early drafts of the format use, or returns `nil` for other
    /// words.
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

    /// The default meanings of the numbers in the key `type`; a source may have its own.
    package static let agreedNumbers: [Int: Kind] = [1: .downtime, 2: .greetings, 3: .nonDisplay, 4: .others]
  }

  /// The time for which a notification is shown.
  package enum Expiry: Hashable, Sendable {
    /// Minutes after `epoch`, or after its arrival if it has none.
    case minutes(Double)
    /// Milliseconds after its arrival, written as `34646millis` in drafts of the format.
    case millisecondsAfterArrival(Double)
    /// An absolute time.
    case at(Date)
  }

  package var id: NativeID
  /// The number in the key `type`; the source's settings may give its meaning.
  package var typeNumber: Int?
  /// The kind that is given as a word instead of a number, as in drafts of the format.
  package var typeWord: Kind?
  /// Whether the user can dismiss it. A notification that is `non-cancellable` (in drafts of the format) can be read
  /// but not dismissed, and stays on top until it expires.
  package var isCancellable = true
  /// The time from which it is shown; only for server notifications.
  package var epoch: Date?
  /// Hours after the program's installation; only for local notifications, and never together with `epoch`.
  package var relativeHours: Double?
  package var expiry: Expiry?
  /// The title and body in each language, in document order and without repeated languages.
  package var texts: [LocalizedText] = []
  /// The channel. An absent one is `general`, to which every source subscribes.
  package var channel: String?
  /// The URL of an image, not checked yet.
  package var poster: String?
  /// The value of `actiondata`, or of `data` in drafts of the format, or `nil` if all its keys are in the fields above.
  package var data: JSONValue?
  /// The unknown keys and their values; those of `actiondata` are under that key.
  package var unknown = JSONObject()

  package init(id: NativeID) { self.id = id }

  /// Returns the kind. A word takes precedence over a number; an unknown number means `others`.
  ///
  /// - Parameter numbers: the source's own meanings of numbers.
  package func kind(numbers: [Int: Kind] = [:]) -> Kind {
    if let typeWord { return typeWord }
    guard let typeNumber else { return .others }
    return numbers[typeNumber] ?? Kind.agreedNumbers[typeNumber] ?? .others
  }

  /// The names of features in the data of a notification that is not shown. They are in a string, an array of strings,
  /// or the value of `feature`, `features` or `name`; otherwise every key is a name.
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

    /// Whether the notification is visible at this time.
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
