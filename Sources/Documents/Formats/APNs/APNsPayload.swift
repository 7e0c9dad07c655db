/// The JSON that Apple Push Notification service sends to a device: the dictionary `aps` and the app's own keys (Apple,
/// "Generating a remote notification").
package struct APNsPayload: Hashable, Sendable {
  /// The maximum size of an ordinary notification, in bytes of the whole JSON.
  package static let sizeLimit = 4096

  /// `alert`: the text to display, as one string or in parts.
  package enum Alert: Hashable, Sendable {
    case text(String)
    case parts(AlertParts)
  }

  /// The value of a key that Apple documents as "or null".
  package enum Nullable<Value: Hashable & Sendable>: Hashable, Sendable {
    case null
    case value(Value)

    package var value: Value? {
      switch self {
      case .null: nil
      case .value(let value): value
      }
    }
  }

  /// The keys of the `alert` dictionary.
  package struct AlertParts: Hashable, Sendable {
    package var title: String?
    package var subtitle: String?
    package var body: String?
    /// `launch-image`: the name of the launch image file.
    package var launchImage: String?
    /// `title-loc-key`: a key of Localizable.strings; may be null.
    package var titleLocKey: Nullable<String>?
    /// `title-loc-args`: values for the title's `%@` and `%n$@`; may be null.
    package var titleLocArgs: Nullable<[String]>?
    /// `subtitle-loc-key`: a key for the subtitle.
    package var subtitleLocKey: String?
    /// `subtitle-loc-args`: values for the subtitle's `%@` and `%n$@`.
    package var subtitleLocArgs: [String]?
    /// `action`: the label of the View button, as websites send it.
    package var action: String?
    /// `action-loc-key`: a key for the label of the View button; null hides the button.
    package var actionLocKey: Nullable<String>?
    /// `loc-key`: a key for the body.
    package var locKey: String?
    /// `loc-args`: values for the body's `%@` and `%n$@`.
    package var locArgs: [String]?
    /// `summary-arg`: the sender in a group's summary.
    package var summaryArg: String?
    /// `summary-arg-count`: the number of items that the notification adds to a group's summary.
    package var summaryArgCount: Int?
    /// Keys of the dictionary that Apple does not define.
    package var unknown = JSONObject()

    package init() {}
  }

  /// `sound`: a file's name, or a dictionary for critical alerts.
  package enum Sound: Hashable, Sendable {
    case named(String)
    /// `volume` from 0 (silent) to 1.
    case dictionary(critical: Bool?, name: String?, volume: Double?)

    package var name: String? {
      switch self {
      case .named(let name): name
      case .dictionary(_, let name, _): name
      }
    }
  }

  /// `interruption-level`: the importance of the notification, and when it is delivered.
  package enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical
  }

  package var alert: Alert?
  /// `badge`: the number on the app's icon; 0 removes it.
  package var badge: Int?
  package var sound: Sound?
  /// `content-available`: whether the app must be started in the background; written as 1 or 0.
  package var contentAvailable: Bool?
  /// `category`: selects the actions that are offered.
  package var category: String?
  /// `thread-id`: groups notifications.
  package var threadID: String?
  /// `mutable-content`: whether an extension of the app may change the notification; written as 1 or 0.
  package var mutableContent: Bool?
  /// `target-content-id`: the window to bring forward.
  package var targetContentID: String?
  package var interruptionLevel: InterruptionLevel?
  /// `relevance-score`, from 0 to 1, or `nil` if it is missing, which is different from 0.
  package var relevanceScore: Double?
  /// `filter-criteria`: a value for the Focus filter.
  package var filterCriteria: String?
  /// `url-args`: values for the placeholders of a website's address.
  package var urlArgs: [String]?
  /// Live Activities: `attributes-type`, the name of the type of `attributes`.
  package var attributesType: String?
  /// Live Activities: `attributes`, which stay the same during the activity.
  package var attributes: JSONObject?
  /// Live Activities: `event`, which is `start`, `update` or `end`.
  package var event: String?
  /// Live Activities: `timestamp`, when the payload was sent, in seconds since 1970.
  package var timestamp: Int?
  /// Live Activities: `content-state`, the values that an update changes.
  package var contentState: JSONObject?
  /// Live Activities: `stale-date`, when the content is out of date, in seconds since 1970.
  package var staleDate: Int?
  /// Live Activities: `dismissal-date`, when an ended activity is removed, in seconds since 1970.
  package var dismissalDate: Int?
  /// Live Activities: `input-push-token`, written as 1 or 0: whether the app must request a token.
  package var inputPushToken: Bool?
  /// Other keys of `aps`, kept unchanged.
  package var unknown = JSONObject()
  /// The members of the payload other than `aps`, in their order.
  package var extra = JSONObject()

  package init() {}

  /// Whether the app must be started in the background.
  package var isContentAvailable: Bool { contentAvailable == true }

  /// Whether the payload only starts the app: `content-available` without alert, badge and sound.
  package var isSilent: Bool { isContentAvailable && alert == nil && badge == nil && sound == nil }
}
