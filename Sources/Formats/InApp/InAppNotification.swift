package import Foundation

/// An in-app notification as a server sends it to phones; see `InAppNotificationReader` for its spellings.
package struct InAppNotification: Hashable, Sendable {
  /// What a notification is for.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case downtime
    case greetings
    case others
    /// Never shown; says nothing about features.
    case nonDisplay = "non-display"
    /// Never shown: sets the features that its data names.
    case enableFeature = "enable-feature"
    /// Never shown: clears the features that its data names.
    case disableFeature = "disable-feature"

    /// A kind by its name here or by a draft's word for it; nil for any other word.
    package init?(word: String) {
      switch word.lowercased().replacing("_", with: "-") {
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

    /// The agreed meaning of the numbers of `type`; a source may have its own.
    package static let agreedNumbers: [Int: Kind] = [1: .downtime, 2: .greetings, 3: .nonDisplay, 4: .others]
  }

  /// How long a notification is shown.
  package enum Expiry: Hashable, Sendable {
    /// After `epoch` or, without one, after it arrived.
    case minutes(Double)
    /// A draft's "…millis": after it arrived.
    case millisecondsAfterArrival(Double)
  }

  package var id: NativeID
  /// The number in `type`; what it means is the source's setting.
  package var typeNumber: Int?
  /// The kind that a draft's word named, in whichever of its fields.
  package var typeWord: Kind?
  /// False for a draft's `non-cancellable`: can be read but not dismissed, and stays on top until it expires.
  package var isCancellable = true
  /// From when it shows; server notifications only.
  package var epoch: Date?
  /// Hours after the program's installation; local notifications only, never beside `epoch`.
  package var relativeHours: Double?
  package var expiry: Expiry?
  /// In document order, each language once.
  package var texts: [LocalizedText] = []
  /// Absent is `general`, which every source subscribes to.
  package var channel: String?
  /// Image address, not yet judged.
  package var poster: String?
  /// `actiondata`, or the drafts' `data`, as sent; nil where it held nothing but what stands above.
  package var data: JSONValue?
  /// What was sent beyond the known keys; those inside `actiondata` stand under its key.
  package var unknown = JSONObject()

  package init(id: NativeID) { self.id = id }

  /// What it is for: a word wins over a number, an unknown number is `others`.
  package func kind(numbers: [Int: Kind] = [:]) -> Kind {
    if let typeWord { return typeWord }
    guard let typeNumber else { return .others }
    return numbers[typeNumber] ?? Kind.agreedNumbers[typeNumber] ?? .others
  }

  /// The text for a reader's language with the application's name filled in; nil where it has no text.
  package func text(for language: String, application: String) -> LocalizedText? {
    texts.choice(for: language)?.naming(application: application)
  }

  /// The features that a non-display notification's free-form data names: a string, an array of strings,
  /// the value of `feature`, `features` or `name`, or else every key.
  package var featureNames: [String] {
    FeatureNames.all(in: data, besides: InAppNotificationReader.keysOfData)
  }

  /// When it is visible: from `from` on, up to but not including `until`.
  package struct Visibility: Hashable, Sendable {
    /// Nil: at once.
    package var from: Date?
    /// Nil: without end.
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

  /// - Parameters:
  ///   - arrival: when it FIRST arrived here; a redelivery does not lengthen it.
  ///   - installation: the program's first start on this database.
  ///
  /// A local notification's minutes count from when it first could be seen: its hours after the
  /// installation, or its arrival where that is later.
  package func visibility(arrival: Date, installation: Date) -> Visibility {
    let from = epoch ?? relativeHours.map { installation.addingTimeInterval($0 * 3600) }
    let until: Date? =
      switch expiry {
      case nil: nil
      case .minutes(let minutes):
        (epoch ?? from.map { max($0, arrival) } ?? arrival).addingTimeInterval(minutes * 60)
      case .millisecondsAfterArrival(let milliseconds): arrival.addingTimeInterval(milliseconds / 1000)
      }
    return Visibility(from: from, until: until)
  }
}
