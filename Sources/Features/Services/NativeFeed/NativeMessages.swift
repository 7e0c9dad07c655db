package import Basics
package import Formats
import Foundation
package import Messages

/// Converts the items of a native feed (reddot's own JSON format) to messages, changes of features, and badges.
package struct NativeMessages: Sendable {
  package private(set) var messages: [IncomingMessage] = []
  /// The notifications that are not shown but turn features on or off, in order of arrival.
  package var features: [FeatureNotice] = []
  /// The number that the last APNs payload with a badge sets, or `nil` if none has one.
  package var badge: Int?
  /// Whether an APNs payload requests a refresh of the source (`content-available: 1`).
  package var wantsRefresh = false
  /// The id of each message, and whether its item reports that it is done.
  package private(set) var endings: [(message: RemoteID, isOver: Bool)] = []
  private var found = LimitedProblems(limit: Limits.nativeProblems)
  /// The number of features that these items have turned on or off so far.
  private var switched = 0

  private let context: PollContext
  /// The kinds of in-app notifications by number, if the source's numbers differ from the default.
  private let kinds: [Int: InAppNotification.Kind]

  package init(context: PollContext, typeNames: [Int: String] = [:]) {
    self.context = context
    kinds = typeNames.compactMapValues { InAppNotification.Kind(word: $0) }
  }

  /// The parts that were left out, with the reasons.
  package var problems: [FormatProblem] { found.all }

  /// Adds items.
  ///
  /// - Parameter allowance: the allowance of the items' document. Once it is spent, the rest is left out.
  package mutating func take(
    _ items: [NativeItem], allowance: Allowance = Allowance(documentBytes: 0)
  ) {
    messages.reserveCapacity(messages.count + items.count)
    for item in items {
      if allowance.isSpent {
        found.append(FormatProblem(at: "", message: allowance.sentence))
        return
      }
      add(item, allowance)
    }
  }

  /// Adds the message or change of features of an item, and the state that the item reports.
  private mutating func add(_ item: NativeItem, _ allowance: Allowance) {
    let first = messages.count
    read(item, allowance)
    let isDone = if case .published(let marks, _) = item { marks.isDone } else { false }
    // An item without marks is included: its message may have been done before.
    for place in first..<messages.count { endings.append((messages[place].remoteID, isDone)) }
    var bytes = 0
    for place in first..<messages.count {
      messages[place].keepWithinLimits()
      bytes += messages[place].textBytes
    }
    allowance.spend(bytes)
  }

  private mutating func read(_ item: NativeItem, _ allowance: Allowance) {
    switch item {
    case .plain(let item): messages.append(message(item))
    case .inApp(let notification): take(notification)
    case .apns(let id, let payload): take(id, payload, allowance)
    case .published(let marks, let item): read(item, marks, allowance)
    }
  }

  /// Reads an item that was published through a hub. The item's key becomes the message's id; the item's own id only
  /// identifies this change of the message.
  private mutating func read(_ item: NativeItem, _ marks: HubMarks, _ allowance: Allowance) {
    let (first, firstNotice) = (messages.count, features.count)
    read(item, allowance)
    if let key = marks.key {
      for place in first..<messages.count { messages[place].remoteID = RemoteID(key) }
      for place in firstNotice..<features.count { features[place].remoteID = RemoteID(key) }
    }
    for place in first..<messages.count {
      if marks.isNews {
        var extras = messages[place].extras ?? MessageExtras()
        extras.occasion = item.id.text
        messages[place].extras = extras
      }
    }
  }

  private func message(_ item: PlainItem) -> IncomingMessage {
    var message = IncomingMessage(remoteID: RemoteID(item.id.text), kind: .native, title: item.title ?? "")
    message.url = item.url
    if let html = item.html { message.setBody(html: html) }
    if let body = item.body { message.body = body }
    if item.title == nil { message.title = Self.firstLine(message.body) }
    message.author = item.author
    message.published = item.time
    message.priority = item.priority.map(Priority.init) ?? .normal
    message.tags = item.tags
    message.channel = item.channel
    message.expires = item.expires
    let group = item.group.flatMap { $0.isEmpty ? nil : $0.cut(toBytes: Limits.nameBytes) }
    if !item.actions.isEmpty || group != nil {
      var extras = MessageExtras()
      extras.actions = item.actions.map { MessageAction(label: $0.label, url: $0.url) }
      extras.group = group
      message.extras = extras
    }
    return message
  }

  // MARK: In-app notifications

  /// Adds an in-app notification as a message or as a change of features.
  private mutating func take(_ notification: InAppNotification) {
    let kind = notification.kind(numbers: kinds)
    switch kind {
    case .enableFeature, .disableFeature, .nonDisplay: features.append(notice(notification, kind))
    case .downtime, .greetings, .others: messages.append(message(notification, kind))
    }
  }

  /// Converts a notification that turns features on or off, within the limits for one poll.
  private mutating func notice(
    _ notification: InAppNotification, _ kind: InAppNotification.Kind
  ) -> FeatureNotice {
    let id = notification.id.text
    // Serialised once for all of its names.
    let data = notification.data?.serialized()
    // A notification without "on" or "off" switches nothing, but may replace one that did.
    var names = kind == .nonDisplay ? [] : names(of: notification)
    let isTooLarge = (data?.utf8.count ?? 0) > Limits.featureDataBytes
    if isTooLarge, !names.isEmpty {
      let limit = Limits.featureDataBytes >> 10
      note("\(id) switches nothing: the data of a feature is limited to \(limit) KiB")
      names = []
    }
    let room = max(0, Limits.featuresPerPoll - switched)
    if names.count > room {
      note(
        "\(id) switches only \(room) of \(names.count) features: one poll may switch \(Limits.featuresPerPoll)"
      )
      names.removeSubrange(room...)
    }
    switched += names.count
    var notice = FeatureNotice(
      remoteID: RemoteID(id), names: names, isEnabled: kind == .enableFeature, data: isTooLarge ? nil : data)
    let time = time(of: notification)
    notice.channel = notification.channel
    notice.visibleFrom = time.visibleFrom
    notice.expires = time.expires
    notice.lifetime = time.lifetime
    return notice
  }

  /// Returns the names of the notification's features, without duplicates.
  private func names(of notification: InAppNotification) -> [String] {
    var seen: Set<String> = []
    return notification.featureNames.filter { name in
      name.utf8.count <= Limits.nameBytes && seen.insert(name).inserted
    }
  }

  private mutating func note(_ message: String) {
    found.append(FormatProblem(at: "", message: message))
  }

  /// Returns the times from which and until which a notification is valid, whether it is displayed or not.
  private func time(
    of notification: InAppNotification
  ) -> (visibleFrom: Date?, expires: Date?, lifetime: Lifetime?) {
    let visibility = notification.visibility(arrival: context.now, installation: context.installed)
    switch notification.expiry {
    case .at: return (visibility.from, visibility.until, nil)
    case .minutes where notification.epoch != nil: return (visibility.from, visibility.until, nil)
    case .minutes(let minutes): return (visibility.from, nil, .afterAppearance(minutes * 60))
    case .millisecondsAfterArrival(let milliseconds):
      return (visibility.from, nil, .afterArrival(milliseconds / 1000))
    case nil: return (visibility.from, nil, nil)
    }
  }

  private func message(_ notification: InAppNotification, _ kind: InAppNotification.Kind) -> IncomingMessage {
    let texts = notification.texts.map { text in
      let named = text.naming(application: context.application)
      return LocalizedText(
        language: named.language, title: named.title.isEmpty ? Self.firstLine(named.body) : named.title,
        body: named.body)
    }
    let choice = LanguageChoice.index(for: context.language, in: texts.map(\.language))
    let text = choice.map { texts[$0] }
    var message = IncomingMessage(
      remoteID: RemoteID(notification.id.text), kind: .inapp, title: text?.title ?? "", body: text?.body ?? ""
    )
    message.language = text.flatMap { $0.language == LocalizedText.anyLanguage ? nil : $0.language }
    message.channel = notification.channel
    let time = time(of: notification)
    message.visibleFrom = time.visibleFrom
    message.published = time.visibleFrom
    message.expires = time.expires
    message.lifetime = time.lifetime
    message.isDismissable = notification.isCancellable
    message.rank = kind == .downtime ? .downtime : notification.isCancellable ? .normal : .pinned
    message.tags = [kind.rawValue]
    var extras = MessageExtras()
    if texts.count > 1 { extras.translations = texts }
    extras.poster = notification.poster
    if !notification.unknown.members.isEmpty {
      extras.unknownKeys = JSONValue.object(notification.unknown).serialized()
    }
    if !extras.isEmpty { message.extras = extras }
    return message
  }

  // MARK: APNs payloads

  /// Adds an APNs payload: its badge, its request for a refresh, and its message if it has text.
  private mutating func take(_ id: NativeID, _ payload: APNsPayload, _ allowance: Allowance) {
    if let badge = payload.badge { self.badge = badge }
    if payload.isContentAvailable { wantsRefresh = true }
    let display = payload.display(strings: context.strings, language: context.language)
    guard !payload.isSilent, !display.isEmpty else { return }
    let text = Self.text(display, language: context.language)
    var message = IncomingMessage(
      remoteID: RemoteID(id.text), kind: .apns, title: text.title, body: text.body)
    switch payload.interruptionLevel {
    case .passive?: message.priority = Priority(2)
    case .timeSensitive?: message.priority = Priority(4)
    case .critical?: message.priority = Priority(5)
    case .active?, nil: break
    }
    var extras = MessageExtras()
    extras.category = payload.category
    extras.translations = translations(payload, allowance)
    extras.sound = payload.sound?.name
    if !payload.extra.members.isEmpty { extras.unknownKeys = JSONValue.object(payload.extra).serialized() }
    if !extras.isEmpty { message.extras = extras }
    messages.append(message)
  }

  /// Returns the title and the body of a message; a subtitle becomes the beginning of the body.
  private static func text(_ display: APNsDisplay, language: String) -> LocalizedText {
    let subtitle = display.subtitle.isEmpty ? "" : display.subtitle + (display.body.isEmpty ? "" : "\n\n")
    return LocalizedText(
      language: language, title: display.title.isEmpty ? firstLine(display.body) : display.title,
      body: subtitle + display.body)
  }

  /// Returns the text in every language of the source's `.strings` files, so that another language can be chosen later;
  /// empty if the text is the same in all languages. For any other language, the last element is the text in English
  /// or, if there is no English, the keys.
  private func translations(_ payload: APNsPayload, _ allowance: Allowance) -> [LocalizedText] {
    guard case .parts? = payload.alert, !context.strings.isEmpty else { return [] }
    var translations: [LocalizedText] = []
    let languages = context.strings.languages.map { (name: $0, from: $0) }
    for language in languages + [(name: LocalizedText.anyLanguage, from: "en")] {
      let text = Self.text(
        payload.display(strings: context.strings, language: language.from), language: language.name)
      guard allowance.spend(text.title.utf8.count + text.body.utf8.count) else { return [] }
      translations.append(text)
    }
    let first = translations[0]
    return translations.allSatisfy { $0.title == first.title && $0.body == first.body } ? [] : translations
  }

  /// Returns the first line, cut to 100 characters.
  private static func firstLine(_ text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    return line.count > 100 ? String(line.prefix(99)) + "…" : String(line)
  }
}
