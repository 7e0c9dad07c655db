import Formats
import Messages

/// The alerts in one response.
struct AlertList {
  private(set) var found = ServiceMessages()
  /// The fingerprints of all alerts, including suppressed ones.
  private(set) var open: Set<String> = []
  /// The open alerts that a silence suppresses.
  private(set) var silenced: Set<String> = []
  /// Whether each alert has a fingerprint or labels. Otherwise it isn't known which alert is missing.
  private(set) var isComplete = true

  /// Reads the elements of a response.
  ///
  /// - Parameter includesSuppressed: whether silenced or inhibited alerts also become messages.
  init(_ elements: [JSONValue], includesSuppressed: Bool) {
    for (index, element) in elements.enumerated() {
      guard var fields = found.fields(of: element, at: JSONPath.index(index, under: "$")) else {
        isComplete = false
        continue
      }
      let id = Self.id(&fields)
      if let id {
        if open.insert(id.text).inserted { add(id, &fields, includesSuppressed: includesSuppressed) }
      } else {
        isComplete = false
      }
      found.add(problemsOf: fields, isLeftOut: id == nil)
    }
  }

  /// Returns the fingerprint, or the one computed from the labels, or `nil` if both are missing, which is reported.
  private static func id(_ fields: inout JSONFields) -> RemoteID? {
    if fields.value("fingerprint") != nil, let id = fields.remoteID("fingerprint") { return id }
    if let made = fields.object["labels"]?.object.flatMap(AlertFingerprint.of) { return RemoteID(made) }
    fields.report("fingerprint", "is missing, and there are no labels: this element is not an alert")
    return nil
  }

  /// Adds an alert, unless it is suppressed and such alerts are left out.
  private mutating func add(_ id: RemoteID, _ fields: inout JSONFields, includesSuppressed: Bool) {
    var status = fields.inner("status")
    let isSuppressed = status?.text("state") == "suppressed"
    if status?.elements("silencedBy")?.isEmpty == false { silenced.insert(id.text) }
    fields.adopt(status?.problems ?? [])
    if isSuppressed, !includesSuppressed { return }
    found.append(message(id, &fields, isSuppressed: isSuppressed))
  }

  /// Returns the message of an alert.
  private func message(_ id: RemoteID, _ fields: inout JSONFields, isSuppressed: Bool) -> IncomingMessage {
    let labels = fields.texts("labels")
    let notes = fields.texts("annotations").filter { !$0.value.isEmpty }
    func note(_ name: String) -> String? { notes.first { $0.name == name }?.value }
    func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    let name = ServiceText.oneLine(label("alertname") ?? "")
    let parts = [name, ServiceText.oneLine(note("summary") ?? "")].filter { !$0.isEmpty }
    var message = IncomingMessage(
      remoteID: id, kind: .service, title: parts.isEmpty ? id.text : parts.joined(separator: ": "))
    // The names of annotations are conventions: the most common one is first and without its name, followed by all
    // others.
    let main = notes.first { $0.name == "description" } ?? notes.first { $0.name == "message" }
    let others = notes.filter {
      !Self.addresses.contains($0.name) && ![main?.name, "summary"].contains($0.name)
    }
    message.body = ([main?.value].compactMap { $0 } + others.map { "\($0.name): \($0.value)" }).joined(
      separator: "\n")
    var links = [ServiceText.address(fields.text("generatorURL")).map { ("Prometheus", $0) }]
    links += Self.addresses.map { name in
      ServiceText.address(note(name)).map { (name == "runbook_url" ? "Runbook" : "Dashboard", $0) }
    }
    let linked = links.compactMap { $0 }
    message.url = linked.first?.1
    message.published = fields.instant("startsAt")
    message.priority = Self.priority(label("severity"))
    // The channel is the host, or the monitored job.
    message.channel = (label("instance") ?? label("host") ?? label("job")).map(ServiceText.oneLine)
    message.tags = ServiceText.tags(
      labels.filter { $0.name != "alertname" }.map { "\($0.name)=\($0.value)" }
        + [isSuppressed ? "suppressed" : nil])
    var extras = MessageExtras()
    extras.actions = linked.dropFirst().map { MessageAction(label: $0.0, url: $0.1) }
    extras.group = name.isEmpty ? nil : name
    extras.occasion = fields.text("startsAt")
    extras.handle = AlertLabels(labels).text
    message.extras = extras
    return message
  }

  /// The names of the annotations that contain a URL.
  private static let addresses = ["runbook_url", "dashboard", "dashboard_url"]

  /// Returns the priority of a severity, whose values are conventions instead of a standard.
  private static func priority(_ severity: String?) -> Priority {
    switch severity?.lowercased() {
    case "critical", "fatal", "emergency", "disaster": Priority(5)
    case "page", "error", "high", "major", "warning", "warn": Priority(4)
    case "info", "informational", "low", "none", "notice": Priority(2)
    case _: .normal
    }
  }
}

/// The labels of an alert. A silence applies to the alert only if its matchers match them.
struct AlertLabels: Hashable {
  let pairs: [String: String]

  init(_ labels: [(name: String, value: String)]) {
    pairs = Dictionary(labels.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// Reads labels, or returns `nil` if the text has another form.
  ///
  /// - Parameter text: the value of the property `text`, which a message stores as its handle.
  init?(_ text: String) {
    guard let object = (try? JSONReader.parse(text))?.object, !object.members.isEmpty else { return nil }
    self.init(object.members.compactMap { member in member.value.text.map { (member.key, $0) } })
  }

  /// The labels as a JSON object, sorted by name.
  var text: String {
    JSONValue.object(JSONObject(sorted.map { .init(key: $0.key, value: .string($0.value)) })).serialized()
  }

  /// The matchers of a silence for exactly these labels, one for each label.
  var matchers: JSONValue {
    .array(
      sorted.map { name, value in
        .object(
          JSONObject([
            .init(key: "name", value: .string(name)), .init(key: "value", value: .string(value)),
            .init(key: "isRegex", value: .bool(false)), .init(key: "isEqual", value: .bool(true)),
          ]))
      })
  }

  /// Whether the matchers of a silence are for exactly these labels.
  func isMatched(by matchers: [JSONValue]) -> Bool {
    var found: [String: String] = [:]
    for matcher in matchers {
      guard let object = matcher.object, let name = object["name"]?.text, let value = object["value"]?.text,
        object["isRegex"]?.bool != true, object["isEqual"]?.bool != false
      else { return false }
      found[name] = value
    }
    return found == pairs
  }

  private var sorted: [(key: String, value: String)] { pairs.sorted { $0.key < $1.key } }
}
