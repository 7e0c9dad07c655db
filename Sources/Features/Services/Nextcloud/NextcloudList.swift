import Basics
import Formats
import HTTP
import Messages

/// The notifications of one response.
struct NextcloudList {
  private(set) var found = ServiceMessages()
  private(set) var upstream: UpstreamState?
  /// The ids that are stored for the next poll.
  private(set) var known = KnownNotifications()
  /// Whether all notifications could be read.
  private(set) var isComplete = true
  /// The ids from earlier polls that are older than all notifications in a full list, newest first. These notifications
  /// may still exist.
  private(set) var older: [Int] = []
  private let origin: Origin?
  private let isQuiet: Bool

  /// - Parameters:
  ///   - origin: the origin of the user's server.
  ///   - isQuiet: whether the user's status is "do not disturb".
  init(origin: Origin?, isQuiet: Bool = false) {
    self.origin = origin
    self.isQuiet = isQuiet
  }

  /// Records that the response does not have all notifications.
  mutating func answerIsPartial() {
    isComplete = false
    found.note(ServiceAnswer.partialProblem)
  }

  /// Adds the notifications of a response to those known from earlier polls.
  ///
  /// - Parameter limit: the number of elements of a full list, in which older notifications may be missing.
  mutating func add(_ elements: [JSONValue], known: KnownNotifications, limit: Int) {
    var ids: Set<Int> = []
    // The newest is first.
    for (index, element) in elements.enumerated().reversed() {
      guard var fields = found.fields(of: element, at: JSONPath.index(index, under: "$.ocs.data")) else {
        isComplete = false
        continue
      }
      let id = fields.integer("notification_id", in: 1 ... .max)
      if let id {
        if ids.insert(id).inserted { found.append(message(id, &fields)) }
      } else {
        isComplete = false
        if fields.problems.isEmpty { fields.report("notification_id", "is missing") }
      }
      found.add(problemsOf: fields, isLeftOut: id == nil)
    }
    // Notifications that are older than those in a full list may still exist.
    let oldest = !isComplete ? .max : elements.count >= limit ? ids.min() ?? 0 : 0
    let unseen = known.below(oldest)
    if isComplete { older = unseen.numbers.sorted(by: >) }
    self.known = unseen.union(ids)
    conclude()
  }

  /// Removes older notifications that no longer exist.
  mutating func remove(_ ids: Set<Int>) {
    known = known.without(ids)
    conclude()
  }

  /// Sets `upstream` so that exactly the known notifications count as still existing.
  private mutating func conclude() {
    var upstream = UpstreamState()
    upstream.open = known.ids
    self.upstream = upstream
  }

  /// Returns the message of a notification.
  private func message(_ id: Int, _ fields: inout JSONFields) -> IncomingMessage {
    let app = fields.text("app")
    var message = IncomingMessage(
      remoteID: RemoteID("\(id)"), kind: .service,
      title: ServiceText.oneLine(fields.text("subject") ?? app ?? "\(id)"),
      body: fields.text("message") ?? "")
    message.url = ServiceText.address(fields.text("link"))
    message.author =
      ["subjectRichParameters", "messageRichParameters"].lazy.compactMap { [fields] in
        Self.user(fields.value($0))
      }.first
    message.published = fields.instant("datetime")
    // Another client of the user shows such a notification.
    message.isQuiet = fields.bool("shouldNotify") == false || isQuiet
    message.channel = app.map(ServiceText.oneLine)
    message.tags = ServiceText.tags([app, fields.text("object_type")])
    let actions = (fields.elements("actions") ?? []).compactMap(action)
    if !actions.isEmpty {
      var extras = MessageExtras()
      extras.actions = actions
      message.extras = extras
    }
    return message
  }

  /// Returns the name of the first parameter of type user. Parameters are an object, or an empty array.
  private static func user(_ parameters: JSONValue?) -> String? {
    for member in parameters?.object?.members ?? [] {
      guard let object = member.value.object, object["type"]?.text == "user" else { continue }
      return object["name"]?.text ?? object["id"]?.text
    }
    return nil
  }

  /// Converts an action to a button, or returns `nil` if it must not or cannot be used.
  private func action(_ element: JSONValue) -> MessageAction? {
    guard let object = element.object, let link = ServiceText.address(object["link"]?.text),
      let type = object["type"]?.text
    else { return nil }
    let label = object["label"]?.text ?? type
    if type == "WEB" { return MessageAction(label: label, url: link) }
    // A request with the user's password is sent only to the user's own server.
    guard NextcloudAction(type: type, link: link) != nil, origin != nil, Origin(link) == origin else {
      return nil
    }
    return MessageAction(label: label, url: "", upstream: "\(type) \(link)")
  }
}

/// The ids of the notifications that existed at the last poll.
struct KnownNotifications: ServiceCursor {
  private(set) var numbers: Set<Int> = []

  init() {}

  /// Reads the form of earlier versions, which separated the ids by spaces.
  init?(earlier text: String) {
    numbers = Set(text.split(onBytes: " ").compactMap { Int($0) })
  }

  private init(numbers: Set<Int>) { self.numbers = numbers }

  init(from decoder: any Decoder) throws {
    numbers = Set(try decoder.singleValueContainer().decode([Int].self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(numbers.sorted())
  }

  /// Returns the ids that are less than a limit.
  func below(_ limit: Int) -> KnownNotifications {
    KnownNotifications(numbers: numbers.filter { $0 < limit })
  }

  /// Returns the ids without others.
  func without(_ others: Set<Int>) -> KnownNotifications {
    KnownNotifications(numbers: numbers.subtracting(others))
  }

  /// Returns these and other ids, but only the newest `Limits.knownNotifications`.
  func union(_ others: Set<Int>) -> KnownNotifications {
    KnownNotifications(numbers: Set(numbers.union(others).sorted(by: >).prefix(Limits.knownNotifications)))
  }

  var ids: Set<RemoteID> { Set(numbers.map { RemoteID("\($0)") }) }
}
